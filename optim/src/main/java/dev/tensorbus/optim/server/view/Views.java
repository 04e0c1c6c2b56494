// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import io.vertx.core.Future;
import java.util.function.Consumer;

/// A value on which a group of voters agrees. All voters see the same sequence of states, some
/// later than others. Thread-safe.
///
/// @param <S> the type of the states, which are immutable
/// @param <C> the type of the proposed changes
public interface Views<S, C> extends AutoCloseable {
  /// Returns the newest state that is known here. Never blocks.
  S current();

  /// Proposes a change. The future completes with the state after the change, once a majority has
  /// accepted it and it is known here. It fails if that takes too long; the change may be applied
  /// nevertheless, but at most once.
  Future<S> propose(C change);

  /// Adds a listener that is notified of each new state, in order and never concurrently. It must
  /// not block.
  void onChange(Consumer<S> listener);

  /// Returns whether [#current] is fresh: every change that is not yet known here was accepted less
  /// than a lease ago, if at all. A primary that serves only while this is true has stopped at most
  /// a lease after another one was appointed.
  boolean isLive();

  /// Returns the nanoseconds for which [#isLive] remains true if no further message arrives; 0 if
  /// it is false.
  long remainingLease();

  /// Returns whether this voter led the others a moment ago.
  boolean isLeader();

  /// Leaves the group.
  @Override
  void close();
}
