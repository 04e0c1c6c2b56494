// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.function.Consumer;

/// How an event loop waits: it spins for its next message for a while before it sleeps in its
/// selector, if [AdaptiveSpin] has found that this brings messages sooner.
///
/// A caller that gets an answer often calls again at once, and would have to wake the loop for
/// that. Used on that loop alone.
final class EventLoopIdleStrategy implements IdleStrategy {
  private final Consumer<Runnable> afterEvents;
  private final NanoClock clock;
  private final AdaptiveSpin spin;
  private boolean isBusy;
  private boolean spins;
  private long idleSince;

  EventLoopIdleStrategy(Consumer<Runnable> afterEvents, NanoClock clock) {
    this.afterEvents = afterEvents;
    this.clock = clock;
    this.spin = new AdaptiveSpin(clock);
    this.idleSince = clock.nanoTime();
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
    idleSince = clock.nanoTime();
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
    return clock.nanoTime() - idleSince;
  }
}
