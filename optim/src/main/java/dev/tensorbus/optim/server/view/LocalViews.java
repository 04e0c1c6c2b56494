// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// The views of a single voter, which applies changes at once.
public final class LocalViews<S, C> implements Views<S, C> {
  private final BiFunction<S, C, S> apply;
  private final Duration lease;
  private final List<Consumer<S>> listeners = new ArrayList<>();
  private volatile S state;

  /// @param apply returns the state after a change, or the same state if the change does not apply
  /// @param lease how long a worker that asks may rely on the state
  public LocalViews(S initial, BiFunction<S, C, S> apply, Duration lease) {
    this.state = initial;
    this.apply = apply;
    this.lease = lease;
  }

  @Override
  public S current() {
    return state;
  }

  @Override
  public synchronized Future<S> propose(C change) {
    S before = state;
    S after;
    try {
      after = apply.apply(before, change);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    state = after;
    if (!after.equals(before)) {
      listeners.forEach(listener -> listener.accept(after));
    }
    return Future.succeededFuture(after);
  }

  @Override
  public synchronized void onChange(Consumer<S> listener) {
    listeners.add(listener);
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public long remainingLease() {
    return lease.toNanos();
  }

  @Override
  public boolean isLeader() {
    return true;
  }

  @Override
  public void close() {}
}
