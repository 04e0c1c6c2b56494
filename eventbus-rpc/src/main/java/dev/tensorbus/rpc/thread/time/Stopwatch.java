// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

/// Measures a duration that is only reported, with the clock of the JVM. Time-dependent code uses a
/// [NanoClock] instead.
public final class Stopwatch {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long start = System.nanoTime();

  private Stopwatch() {}

  /// Starts a stopwatch.
  public static Stopwatch start() {
    return new Stopwatch();
  }

  /// Returns the nanoseconds since the start.
  public long nanos() {
    return System.nanoTime() - start;
  }

  /// Returns the seconds since the start.
  public double seconds() {
    return nanos() / NANOS_PER_SECOND;
  }
}
