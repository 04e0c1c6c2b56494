// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import dev.tensorbus.optim.server.view.VoterMessage.Batch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The changes that a voter has proposed and not yet seen applied. Only one batch is under way, so
/// that its number suffices to apply it once; changes proposed meanwhile form the next.
final class Proposals<S> {
  private static final int MAX_WAITING = 10_000;

  private record Proposal<S>(Object change, Promise<S> promise, long deadline) {}

  private final Voter proposer;
  private final Deque<Proposal<S>> waiting = new ArrayDeque<>();
  private List<Proposal<S>> sent = List.of();
  private @Nullable Batch batch;
  private long count;
  private @Nullable String reason;

  Proposals(Voter proposer) {
    this.proposer = proposer;
  }

  void add(Object change, Promise<S> promise, long deadline) {
    if (reason != null) {
      promise.fail(reason);
    } else if (waiting.size() >= MAX_WAITING) {
      promise.fail(MAX_WAITING + " changes wait already; propose fewer at a time");
    } else {
      waiting.add(new Proposal<>(change, promise, deadline));
    }
  }

  /// Returns the batch that is under way, or null if there is nothing to do. If none is under way,
  /// the waiting changes become one.
  @Nullable Batch current() {
    if (batch == null && !waiting.isEmpty()) {
      sent = new ArrayList<>();
      while (!waiting.isEmpty() && sent.size() < VoterMessage.MAX_ELEMENTS) {
        sent.add(waiting.remove());
      }
      batch = new Batch(proposer, ++count, sent.stream().<Object>map(Proposal::change).toList());
    }
    return batch;
  }

  /// Completes the proposals of a batch that was applied, if it is the current one.
  void applied(Batch done, List<Future<S>> states) {
    if (done.equals(batch)) {
      List<Proposal<S>> proposals = sent;
      batch = null;
      sent = List.of();
      for (int i = 0; i < proposals.size(); i++) {
        states
            .get(i)
            .onComplete(
                proposals.get(i).promise()::tryComplete, proposals.get(i).promise()::tryFail);
      }
    }
  }

  /// Fails the proposals whose deadline has passed. If all of the current batch have failed, it is
  /// no longer repeated.
  void expire(long now, Supplier<String> lateReason) {
    if (batch == null && waiting.isEmpty()) {
      return;
    }
    List<Proposal<S>> late = new ArrayList<>();
    for (Proposal<S> proposal : sent) {
      if (proposal.deadline() - now <= 0) {
        late.add(proposal);
      }
    }
    if (late.size() == sent.size()) {
      batch = null;
      sent = List.of();
    }
    while (!waiting.isEmpty() && waiting.element().deadline() - now <= 0) {
      late.add(waiting.remove());
    }
    late.forEach(proposal -> proposal.promise().tryFail(lateReason.get()));
  }

  /// Fails all proposals, and those that are added later.
  void close(String newReason) {
    reason = newReason;
    List<Proposal<S>> open = new ArrayList<>(sent);
    open.addAll(waiting);
    batch = null;
    sent = List.of();
    waiting.clear();
    open.forEach(proposal -> proposal.promise().tryFail(newReason));
  }
}
