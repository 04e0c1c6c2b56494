// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Waits for answers: a thread may spin for a while before it parks.
///
/// Waking a parked thread takes 30 to 60 us if its core sleeps as well, which is as long as the
/// rest of a small call. But a spinning thread occupies a core, which delays the answer if other
/// threads need that core. So at most one thread spins at any time. Between polls, it yields its
/// core to any other runnable thread, and it spins only for functions for which spinning has paid
/// off ([AdaptiveSpin]).
public final class SpinThenPark {
  private final boolean maySpin;
  private final NanoClock clock;
  private final Map<FunctionName, AdaptiveSpin> spins = new ConcurrentHashMap<>();
  private final ActiveWaiters waiters;

  SpinThenPark(boolean maySpin, NanoClock clock) {
    this.maySpin = maySpin;
    this.clock = clock;
    waiters = new ActiveWaiters(clock);
  }

  /// Waits for the answer to a call.
  ///
  /// @param elapsed returns the nanoseconds that the call has taken so far
  /// @throws IllegalStateException on an event loop or a worker thread, which must not wait
  /// @throws java.util.concurrent.CancellationException if this thread is interrupted; its
  ///     interrupt status stays set
  public <T> T await(FunctionName function, LongSupplier elapsed, Future<T> answer) {
    return await(function, elapsed, answer, () -> VirtualThreads.await(answer));
  }

  /// Waits for the answer to a call that starts now.
  ///
  /// @param park parks until the answer has arrived
  /// @throws IllegalStateException on an event loop or a worker thread, which must not wait
  public <T> T await(FunctionName function, Future<?> answer, Supplier<T> park) {
    long start = clock.nanoTime();
    return await(function, () -> clock.nanoTime() - start, answer, park);
  }

  private <T> T await(
      FunctionName function, LongSupplier elapsed, Future<?> answer, Supplier<T> park) {
    ExecutionPolicy.requireMayBlock();
    return maySpin ? spinThenPark(function, elapsed, answer, park) : park.get();
  }

  private <T> T spinThenPark(
      FunctionName function, LongSupplier elapsed, Future<?> answer, Supplier<T> park) {
    ActiveWaiters.Waiter self = waiters.begin();
    try {
      return self.isAlone(AdaptiveSpin.LONGEST_SPIN_NANOS)
          ? awaitAlone(function, elapsed, self, answer, park)
          : park.get();
    } finally {
      self.end();
    }
  }

  private <T> T awaitAlone(
      FunctionName function,
      LongSupplier elapsed,
      ActiveWaiters.Waiter self,
      Future<?> answer,
      Supplier<T> park) {
    AdaptiveSpin spin = spins.computeIfAbsent(function, key -> new AdaptiveSpin(clock));
    boolean spinsNow = spin.spins();
    if (spinsNow) {
      spin(self, answer);
    }
    T result = park.get();
    spin.took(spinsNow, elapsed.getAsLong());
    return result;
  }

  private void spin(ActiveWaiters.Waiter self, Future<?> answer) {
    long end = clock.nanoTime() + AdaptiveSpin.LONGEST_SPIN_NANOS;
    while (!answer.isComplete() && self.isLatest() && clock.nanoTime() < end) {
      OsYield.yieldCore();
    }
  }
}
