// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread;

import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.thread.time.SystemClock;
import java.security.SecureRandom;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/// The source of a worker's time, threads and random numbers: the JVM, or a simulation that
/// reproduces a run from its seed. Like V8's `Platform`.
///
/// @param clock measures timeouts and runs alarms
/// @param threads starts all threads
/// @param random generates values that must differ between workers; thread-safe
public record Platform(Clock clock, Threads threads, RandomGenerator random) {
  /// Returns the platform of the JVM, with a clock for one worker. Its random numbers are
  /// unpredictable.
  public static Platform ofSystem(String worker) {
    ThreadFactory alarms = SystemThreads.factory("tensorbus-clock-" + worker);
    return new Platform(new SystemClock(alarms), Threads.system(), new SecureRandom());
  }
}
