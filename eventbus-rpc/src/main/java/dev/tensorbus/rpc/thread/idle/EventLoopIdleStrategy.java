// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.function.Consumer;

/// The idle strategy of an event loop: it spins for its next message before it sleeps in its
/// selector, if [AdaptiveSpin] has found that messages are handled sooner this way.
///
/// A caller that gets an answer often calls again at once and would then have to wake the loop.
/// Used only on that loop.
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

  /// Records that a message has arrived. The loop idles by itself when it has handled all messages.
  @Override
  public void reset() {
    if (!isBusy) {
      isBusy = true;
      spin.took(spins, idleNanos());
      afterEvents.accept(this::idle);
    }
  }

  /// Called when the loop has handled all messages that arrived together.
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
