// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// How an event loop waits: it spins for its next message for a while before it sleeps in its
/// selector, if [AdaptiveSpin] has found that this brings messages sooner.
///
/// A caller that gets an answer often calls again at once, and would have to wake the loop for
/// that. Used on that loop alone.
final class EventLoopIdleStrategy implements IdleStrategy {
  private final Consumer<Runnable> afterEvents;
  private final LongSupplier nanoTime;
  private final AdaptiveSpin spin;
  private boolean isBusy;
  private boolean spins;
  private long idleSince;

  EventLoopIdleStrategy(Consumer<Runnable> afterEvents) {
    this(afterEvents, System::nanoTime);
  }

  EventLoopIdleStrategy(Consumer<Runnable> afterEvents, LongSupplier nanoTime) {
    this.afterEvents = afterEvents;
    this.nanoTime = nanoTime;
    this.spin = new AdaptiveSpin(nanoTime);
    this.idleSince = nanoTime.getAsLong();
  }

  /// A message has come. The loop idles by itself when it has dealt with all messages.
  @Override
  public void reset() {
    if (!isBusy) {
      isBusy = true;
      spin.took(spins, idleNanos());
      afterEvents.accept(this::idle);
    }
  }

  /// The loop has dealt with all messages that came together.
  @Override
  public void idle() {
    isBusy = false;
    idleSince = nanoTime.getAsLong();
    spins = spin.spins();
    spinOnce();
  }

  private void spinOnce() {
    if (spins && !isBusy && idleNanos() < AdaptiveSpin.LONGEST_SPIN_NANOS) {
      OsYield.yieldCore();
      afterEvents.accept(this::spinOnce);
    }
  }

  private long idleNanos() {
    return nanoTime.getAsLong() - idleSince;
  }
}
