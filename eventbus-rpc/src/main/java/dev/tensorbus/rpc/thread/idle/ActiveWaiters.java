// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import org.jspecify.annotations.Nullable;

/// The threads of a worker that currently wait for answers, in the order in which they began to
/// wait.
final class ActiveWaiters {
  private final NanoClock clock;
  private volatile @Nullable Waiter latest;

  ActiveWaiters(NanoClock clock) {
    this.clock = clock;
  }

  /// Registers this thread as waiting. The caller must end the returned wait.
  synchronized Waiter begin() {
    Waiter before = latest;
    Waiter waiter = new Waiter(before);
    if (before != null) {
      before.after = waiter;
    }
    latest = waiter;
    return waiter;
  }

  /// A thread's wait.
  final class Waiter {
    private final long since = clock.nanoTime();
    private @Nullable Waiter before;
    private @Nullable Waiter after;

    private Waiter(@Nullable Waiter before) {
      this.before = before;
    }

    /// Returns whether this is the latest wait and all others began more than `nanos` before it. If
    /// so, the others are waiting for something slow, which a briefly busy core hardly delays.
    boolean isAlone(long nanos) {
      synchronized (ActiveWaiters.this) {
        return isLatest() && (before == null || since - before.since > nanos);
      }
    }

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
