// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import dev.tensorbus.rpc.FunctionName;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Waits for answers: looks out for a while before the thread goes to sleep.
///
/// To wake a thread takes 30 to 60 us where the core has gone to sleep as well, which is as long
/// as all else that a small call takes. But who looks out holds a core, and where others want it
/// the answer comes the later for that. So a thread looks out only while no other waits, but for
/// what takes long, gives its core away all the time, and does so only for functions with which
/// it has paid ([Habit]).
public final class Lookout {
  /// Who looks out on an only core keeps all others from it.
  static final boolean HAS_CORES = Runtime.getRuntime().availableProcessors() > 1;

  private final Map<FunctionName, Habit> habits = new ConcurrentHashMap<>();
  private final Waits waits = new Waits();

  public Lookout() {}

  /// Waits for the answer of a call that has been sent.
  ///
  /// @throws IllegalStateException on an event loop or a worker thread, which must not wait
  /// @throws java.util.concurrent.CancellationException if this thread is interrupted, which it
  ///     stays
  public <T> T await(Outbound<?> call, Future<T> answer) {
    return await(call.function(), call::elapsed, answer, () -> VirtualThreads.await(answer));
  }

  /// Waits for what a function brings about from now on.
  ///
  /// @param wait sleeps until it is there
  /// @throws IllegalStateException on an event loop or a worker thread, which must not wait
  public <T> T await(FunctionName function, Future<?> answer, Supplier<T> wait) {
    long start = System.nanoTime();
    return await(function, () -> System.nanoTime() - start, answer, wait);
  }

  /// @param elapsed how many nanoseconds it has taken so far
  private <T> T await(
      FunctionName function, LongSupplier elapsed, Future<?> answer, Supplier<T> wait) {
    VirtualThreads.requireMayBlock();
    Waits.Wait mine = waits.begin();
    try {
      boolean isAlone = HAS_CORES && mine.isAlone(Habit.LONGEST_LOOK_NANOS);
      return isAlone ? awaitAlone(function, elapsed, mine, answer, wait) : wait.get();
    } finally {
      mine.end();
    }
  }

  private <T> T awaitAlone(
      FunctionName function,
      LongSupplier elapsed,
      Waits.Wait mine,
      Future<?> answer,
      Supplier<T> wait) {
    Habit habit = habits.computeIfAbsent(function, key -> new Habit());
    boolean looks = habit.looks();
    if (looks) {
      look(mine, answer);
    }
    T result = wait.get();
    habit.took(looks, elapsed.getAsLong());
    return result;
  }

  private static void look(Waits.Wait mine, Future<?> answer) {
    long end = System.nanoTime() + Habit.LONGEST_LOOK_NANOS;
    while (!answer.isComplete() && mine.isLatest() && System.nanoTime() < end) {
      Core.giveAway();
    }
  }
}
