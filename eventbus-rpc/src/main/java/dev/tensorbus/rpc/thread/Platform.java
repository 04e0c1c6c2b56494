// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread;

import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.thread.time.SystemClock;
import java.security.SecureRandom;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/// Where a worker takes its time, its threads and its random numbers from: from the JVM, or from a
/// simulation that repeats a run by its seed. After V8's `Platform`.
///
/// @param clock decides what is late, and wakes what waits for a time
/// @param threads start whatever has a thread
/// @param random draws what must differ between workers; safe on any thread
public record Platform(Clock clock, Threads threads, RandomGenerator random) {
  /// Returns the JVM's, with a clock for one worker. Nobody can guess its random numbers.
  public static Platform ofSystem(String worker) {
    ThreadFactory alarms = SystemThreads.factory("tensorbus-clock-" + worker);
    return new Platform(new SystemClock(alarms), Threads.system(), new SecureRandom());
  }
}
