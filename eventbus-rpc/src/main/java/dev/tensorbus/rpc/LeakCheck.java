// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// How a worker treats references that are still open when it shuts down. They are closed in any
/// case, but until then each of them keeps its object in its owner's memory.
public enum LeakCheck {
  /// Ignores them.
  OFF,
  /// Logs each with the stack trace of its creation. Recording the trace costs some microseconds
  /// per reference.
  WARN,
  /// Completes the shutdown, then fails it with the same report.
  FAIL
}
