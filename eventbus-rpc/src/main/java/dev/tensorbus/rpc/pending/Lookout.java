// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import dev.tensorbus.rpc.FunctionName;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Waits for answers: looks out for a while before the thread goes to sleep.
///
/// To wake a thread takes 30 to 60 us where the core has gone to sleep as well, which is as long
/// as all else that a small call takes. But who looks out holds a core, and where others want it
/// the answer comes the later for that. So a thread looks out only while no other waits, gives
/// its core away all the time, and does so only for functions with which it has paid ([Habit]).
public final class Lookout {
  private static final boolean HAS_CORES = Runtime.getRuntime().availableProcessors() > 1;

  private final Map<FunctionName, Habit> habits = new ConcurrentHashMap<>();
  private final AtomicInteger waiting = new AtomicInteger();

  public Lookout() {}

  /// Waits for the answer of a call that has been sent.
  ///
  /// @throws IllegalStateException on an event loop or a worker thread, which must not wait
  /// @throws java.util.concurrent.CancellationException if this thread is interrupted, which it
  ///     stays
  public <T> T await(Outbound<?> call, Future<T> answer) {
    VirtualThreads.requireMayBlock();
    boolean isAlone = waiting.incrementAndGet() == 1 && HAS_CORES;
    try {
      return isAlone ? awaitAlone(call, answer) : VirtualThreads.await(answer);
    } finally {
      waiting.decrementAndGet();
    }
  }

  private <T> T awaitAlone(Outbound<?> call, Future<T> answer) {
    Habit habit = habits.computeIfAbsent(call.function(), function -> new Habit());
    boolean looks = habit.looks();
    if (looks) {
      look(answer);
    }
    T result = VirtualThreads.await(answer);
    habit.took(looks, call.elapsed());
    return result;
  }

  private void look(Future<?> answer) {
    long end = System.nanoTime() + Habit.LONGEST_LOOK_NANOS;
    while (!answer.isComplete() && waiting.get() == 1 && System.nanoTime() < end) {
      Core.giveAway();
    }
  }
}
