// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// An event loop's way to wait: it looks out for its next message for a while before it goes to
/// sleep, as [Lookout] has threads do, if that has brought messages sooner ([Habit]).
///
/// Whoever is answered often asks again at once, and would have to wake the loop for that. Used
/// on that loop alone.
public final class LoopLookout {
  private final Consumer<Runnable> afterEvents;
  private final LongSupplier nanoTime;
  private final Habit habit = new Habit();
  private boolean isBusy;
  private boolean looks;
  private long idleSince;

  /// Nothing is known yet.
  ///
  /// @param afterEvents has the loop run something when it has looked for events once more,
  ///     without going to sleep
  public LoopLookout(Consumer<Runnable> afterEvents) {
    this(afterEvents, System::nanoTime);
  }

  LoopLookout(Consumer<Runnable> afterEvents, LongSupplier nanoTime) {
    this.afterEvents = afterEvents;
    this.nanoTime = nanoTime;
    this.idleSince = nanoTime.getAsLong();
  }

  /// Notes that a message has come.
  public void messageCame() {
    if (!isBusy) {
      isBusy = true;
      habit.took(looks, idleNanos());
      afterEvents.accept(this::idle);
    }
  }

  /// All that came together has been dealt with.
  private void idle() {
    isBusy = false;
    idleSince = nanoTime.getAsLong();
    looks = Lookout.HAS_CORES && habit.looks();
    look();
  }

  private void look() {
    if (looks && !isBusy && idleNanos() < Habit.LONGEST_LOOK_NANOS) {
      Core.giveAway();
      afterEvents.accept(this::look);
    }
  }

  private long idleNanos() {
    return nanoTime.getAsLong() - idleSince;
  }
}
