// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

/// A monotonic clock in nanoseconds, like Agrona's interface of the same name. Time-dependent code
/// takes a clock as a parameter, so that tests and simulations can control the time.
@FunctionalInterface
public interface NanoClock {
  /// The clock of the JVM.
  NanoClock SYSTEM = System::nanoTime;

  /// Returns the time in nanoseconds. Only differences between two times are meaningful.
  long nanoTime();
}
