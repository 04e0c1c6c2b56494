// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.function.Consumer;

/// The idle strategy of an event loop. The loop spins for its next message before it sleeps in its
/// selector, if [AdaptiveSpin] has found that messages are handled sooner this way.
///
/// A caller that receives an answer often makes another call at once, and would then have to wake a
/// sleeping loop. Instances may be used only on their event loop.
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

  /// Records that a message has arrived, and schedules [#idle] for when the loop has handled all
  /// messages.
  @Override
  public void reset() {
    if (!isBusy) {
      isBusy = true;
      spin.took(spins, idleNanos());
      afterEvents.accept(this::idle);
    }
  }

  /// Runs when the loop has handled all messages that arrived together.
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
