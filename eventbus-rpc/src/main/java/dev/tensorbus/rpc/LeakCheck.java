// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// How a worker treats references that are still open when it shuts down. The references are closed
/// in any case, but until then each keeps an object in the memory of its owner.
public enum LeakCheck {
  /// Ignores open references.
  OFF,
  /// Logs each reference with the code location that created it. Recording the location costs some
  /// microseconds per reference.
  WARN,
  /// Completes the shutdown, then fails its future with the report that [#WARN] would log.
  FAIL
}
