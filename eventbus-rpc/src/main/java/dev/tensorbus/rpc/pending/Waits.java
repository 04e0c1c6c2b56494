// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import org.jspecify.annotations.Nullable;

/// The threads of a worker that wait for answers now, in the order in which they began.
final class Waits {
  private volatile @Nullable Wait latest;

  /// One that begins now; to be ended.
  synchronized Wait begin() {
    Wait before = latest;
    Wait wait = new Wait(before);
    if (before != null) {
      before.after = wait;
    }
    latest = wait;
    return wait;
  }

  /// One thread's wait.
  final class Wait {
    private final long since = System.nanoTime();
    private @Nullable Wait before;
    private @Nullable Wait after;

    private Wait(@Nullable Wait before) {
      this.before = before;
    }

    /// Whether all others began longer ago than this. What they wait for takes long, and a core
    /// that is busy for a moment is nothing to it.
    boolean isAlone(long nanos) {
      synchronized (Waits.this) {
        return isLatest() && (before == null || since - before.since > nanos);
      }
    }

    /// Whether nobody began after it who still waits.
    boolean isLatest() {
      return equals(latest);
    }

    void end() {
      synchronized (Waits.this) {
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
