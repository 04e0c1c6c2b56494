// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.view.VoterMessage.Batch;
import dev.tensorbus.optim.server.view.VoterMessage.NewTerm;
import io.microraft.impl.statemachine.InternalCommitAware;
import io.microraft.statemachine.StateMachine;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// A voter's copy of the state. Each batch is applied once, though it may stand in the log several
/// times: its proposer repeats it until it sees it.
final class AgreedState<S, C> implements StateMachine, InternalCommitAware {
  /// Is notified of the applied entries of the log.
  interface Listener<S> {
    /// A batch was applied for the first time.
    ///
    /// @param states the state after each change, or the exception of the function that applies it
    void applied(Batch batch, List<Future<S>> states);

    /// Everything up to an index of the log is applied.
    void applied(long index);
  }

  private final Voter voter;
  private final BiFunction<S, C, S> apply;
  private final Listener<S> listener;
  private final Map<Voter, Long> numbers = new HashMap<>();
  private volatile S state;
  private long index;
  private long wonElections;
  private boolean isEstablished;

  AgreedState(Voter voter, S initial, BiFunction<S, C, S> apply, Listener<S> listener) {
    this.voter = voter;
    this.state = initial;
    this.apply = apply;
    this.listener = listener;
  }

  S state() {
    return state;
  }

  /// Returns the index of the last entry of the log that is applied.
  long index() {
    return index;
  }

  /// Returns whether the voter, if it leads, has committed an entry since its election. From then
  /// on, it knows everything that earlier leaders have committed.
  boolean isEstablished() {
    return isEstablished;
  }

  boolean isApplied(Batch batch) {
    return batch.number() <= numbers.getOrDefault(batch.proposer(), 0L);
  }

  @Override
  public Object runOperation(long commitIndex, Object operation) {
    if (operation instanceof Batch batch && !isApplied(batch)) {
      numbers.put(batch.proposer(), batch.number());
      listener.applied(batch, apply(batch));
    }
    if (operation instanceof NewTerm term && term.leader().equals(voter)) {
      isEstablished = term.number() == wonElections;
    }
    onInternalCommit(commitIndex);
    return commitIndex;
  }

  @SuppressWarnings("unchecked") // all voters propose changes of one type
  private List<Future<S>> apply(Batch batch) {
    List<Future<S>> states = new ArrayList<>();
    for (Object change : batch.changes()) {
      try {
        state = apply.apply(state, (C) change);
        states.add(Future.succeededFuture(state));
      } catch (RuntimeException e) { // as on all other voters
        states.add(Future.failedFuture(e));
      }
    }
    return states;
  }

  @Override
  public void onInternalCommit(long commitIndex) {
    index = commitIndex;
    listener.applied(commitIndex);
  }

  @Override
  public Object getNewTermOperation() {
    isEstablished = false;
    return new NewTerm(voter, ++wonElections);
  }

  @Override
  public void takeSnapshot(long commitIndex, Consumer<Object> chunks) {
    throw new IllegalStateException("the log is full after " + commitIndex + " entries");
  }

  @Override
  public void installSnapshot(long commitIndex, List<Object> chunks) {
    throw new IllegalStateException("no snapshots are taken");
  }
}
