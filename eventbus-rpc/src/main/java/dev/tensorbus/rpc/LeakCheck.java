// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// Tells a worker how to treat references that are still open when it shuts down. They end with it
/// in any case; one that is open too long keeps its object in its owner's memory until then.
public enum LeakCheck {
  /// Nothing.
  OFF,
  /// Logs each with the place where it came to be. Noting the place costs some microseconds a
  /// reference.
  WARN,
  /// The shutdown ends, and then fails with the same report.
  FAIL
}
