// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.WorkerInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a remote call knows of itself while it runs.
///
/// @param rpc the worker that it runs on
/// @param caller who asked for it
/// @param deadline when the caller stops waiting, by `System.nanoTime()`
public record CallContext(EventBusRpc rpc, WorkerInfo caller, long deadline) {
  private static final ScopedValue<CallContext> CURRENT = ScopedValue.newInstance();

  /// The call that this thread runs.
  ///
  /// @throws IllegalStateException if it runs none
  public static CallContext current() {
    if (!CURRENT.isBound()) {
      throw new IllegalStateException(
          "Rpc.current() is known only while a remote call runs; elsewhere keep the Rpc that"
              + " Rpc.init returned");
    }
    return CURRENT.get();
  }

  void run(Runnable body) {
    ScopedValue.where(CURRENT, this).run(body);
  }

  /// The time that a call made from here has: its own limit, or what is left of the call around
  /// it.
  static Duration bound(Duration limit) {
    @Nullable CallContext around = CURRENT.isBound() ? CURRENT.get() : null;
    if (around == null) {
      return limit;
    }
    Duration left = Duration.ofNanos(around.deadline - System.nanoTime());
    return left.compareTo(limit) < 0 ? left : limit;
  }
}
