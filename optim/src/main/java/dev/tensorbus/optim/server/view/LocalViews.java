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
  /// What a worker that asks may rely on: the default lease of [RaftViews].
  private static final Duration LEASE = Duration.ofMillis(1250);

  private final BiFunction<S, C, S> apply;
  private final List<Consumer<S>> listeners = new ArrayList<>();
  private volatile S state;

  /// @param apply returns the state after a change, or the same state if the change does not apply
  public LocalViews(S initial, BiFunction<S, C, S> apply) {
    this.state = initial;
    this.apply = apply;
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
    return LEASE.toNanos();
  }

  @Override
  public boolean isLeader() {
    return true;
  }

  @Override
  public void close() {}
}
