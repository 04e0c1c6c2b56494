// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

/// Reads a monotonic time in nanoseconds, after Agrona's interface of the same name. Code whose
/// decisions depend on the time is given a clock, so that a test or a simulation can move the time.
@FunctionalInterface
public interface NanoClock {
  /// The time of the JVM.
  NanoClock SYSTEM = System::nanoTime;

  /// Returns the time, of which only differences are meaningful.
  long nanoTime();
}
