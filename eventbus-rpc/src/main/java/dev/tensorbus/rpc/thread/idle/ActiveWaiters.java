// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import org.jspecify.annotations.Nullable;

/// The threads of a worker that wait for answers now, in the order in which they began.
final class ActiveWaiters {
  private final NanoClock clock;
  private volatile @Nullable Waiter latest;

  ActiveWaiters(NanoClock clock) {
    this.clock = clock;
  }

  /// Begins a wait of this thread, which is to be ended.
  synchronized Waiter begin() {
    Waiter before = latest;
    Waiter waiter = new Waiter(before);
    if (before != null) {
      before.after = waiter;
    }
    latest = waiter;
    return waiter;
  }

  /// One thread's wait.
  final class Waiter {
    private final long since = clock.nanoTime();
    private @Nullable Waiter before;
    private @Nullable Waiter after;

    private Waiter(@Nullable Waiter before) {
      this.before = before;
    }

    /// Whether all others began longer ago than this. They wait for something that takes long, and
    /// a core that is busy for a moment is nothing to them.
    boolean isAlone(long nanos) {
      synchronized (ActiveWaiters.this) {
        return isLatest() && (before == null || since - before.since > nanos);
      }
    }

    /// Whether no other thread that still waits began later.
    boolean isLatest() {
      return equals(latest);
    }

    void end() {
      synchronized (ActiveWaiters.this) {
        if (before != null) {
          before.after = after;
        }
        if (after == null) {
          latest = before;
        } else {
          after.before = before;
        }
      }
    }
  }
}
