// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.consistency.Clocks;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.LogEntry.Defined;
import dev.tensorbus.optim.server.replica.LogEntry.NoOp;
import dev.tensorbus.optim.server.replica.LogEntry.Step;
import dev.tensorbus.optim.server.replica.LogEntry.Trainers;
import dev.tensorbus.optim.server.replica.LogEntry.TrainersChanged;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Part;
import dev.tensorbus.rpc.group.Members;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A part on its primary: decides, by the [Clocks] of the trainers, which pushes become a step, and
/// answers the trainers when all backups have the step. A trainer that waits occupies no thread.
///
/// A push that is repeated, since the trainer did not receive the answer, becomes part of one step
/// only. If this server was a backup before, that holds for pushes to the former primary, too.
final class Primary {
  /// The version in the answers of a server that is not the primary any more.
  static final long NOT_MINE = -1;

  private final Part part;
  private final Host host;
  private final EntryLog log;

  /// The pushes that may become part of the next step.
  private final SortedMap<Life, PartPush> collected = new TreeMap<>();

  /// The trainers that wait for the answer to a push.
  private final Map<Life, Waiting> waiting = new HashMap<>();

  /// The pulls that wait for a version.
  private final List<PullWait> pulls = new ArrayList<>();

  /// The joins and leaves that are not committed yet.
  private final Set<Promise<Long>> unanswered = new HashSet<>();

  private @Nullable Group group;

  /// By trainer: the last push that has become part of a step, which may not be committed yet.
  private final Map<Life, Long> taken = new HashMap<>();

  private boolean isDeposed;

  /// Whether all backups have all entries of the former primaries. Before that, another server may
  /// become the primary without some of them.
  private boolean isSettled;

  /// The trainers of a part that is defined.
  private record Group(GroupSettings settings, Members<Life> trainers, Clocks<Life> clocks) {}

  /// A push whose answer is due when its step is committed and the trainer may continue.
  private static final class Waiting {
    private final long number;
    private Promise<Long> answer;
    private boolean isCommitted;
    private boolean isReleased;

    private Waiting(long number, Promise<Long> answer) {
      this.number = number;
      this.answer = answer;
    }
  }

  private record PullWait(long version, Promise<Long> answer) {}

  /// @param replica the replica of this server, or null if the part is not defined yet
  Primary(Part part, long term, @Nullable Replica replica, Host host) {
    this.part = part;
    this.host = host;
    log = new EntryLog(part, term, replica, host);
    if (replica != null) {
      group = group(replica.settings(), replica.trainers(), replica.version() - 1);
    }
  }

  private static Group group(GroupSettings settings, Trainers trainers, long steps) {
    Members<Life> members =
        Members.open("trainer", trainers.isComplete() ? 0 : settings.trainers());
    trainers.clocks().keySet().forEach(members::join);
    Consistency consistency = Consistency.parse(settings.consistency());
    return new Group(
        settings, members, new Clocks<>(members, consistency, trainers.clocks(), steps));
  }

  EntryLog log() {
    return log;
  }

  /// Starts this primary, whose backups have been set. Removes the trainers that are lost.
  ///
  /// @param isPresent returns whether a worker is in the world
  void start(Predicate<String> isPresent) {
    if (group == null) {
      isSettled = true;
      return;
    }
    log.append(new NoOp(), this::settled);
    present().stream().filter(trainer -> !isPresent.test(trainer.worker())).forEach(this::leave);
  }

  private void settled() {
    isSettled = true;
    for (Life trainer : List.copyOf(waiting.keySet())) {
      Waiting one = Objects.requireNonNull(waiting.get(trainer));
      if (replica().contains(trainer, one.number)) {
        one.isCommitted = true;
        answerIfDue(trainer);
      }
    }
    answerPulls();
  }

  /// Returns the settings, or null if the part is not defined yet.
  @Nullable GroupSettings settings() {
    return group == null ? null : group.settings();
  }

  private Group defined() {
    if (group == null) {
      throw new IllegalStateException(part + " is not defined; a trainer must join first");
    }
    return group;
  }

  private Replica replica() {
    return Objects.requireNonNull(log.replica());
  }

  /// Defines the first values.
  void define(Defined first) {
    log.append(first, () -> {});
    group = group(first.settings(), Trainers.NONE, 0);
  }

  /// Adds a trainer. Does nothing if it has joined already.
  ///
  /// @return a future that completes when the backups know it, with the version
  Future<Long> join(Life trainer) {
    Group here = defined();
    if (here.trainers().present().contains(trainer)) {
      return append(new NoOp());
    }
    present().stream().filter(trainer::isAnotherLifeOf).forEach(this::leave);
    here.trainers().join(trainer);
    return trainersChanged(here);
  }

  /// Removes a trainer, and its push if that has not become part of a step.
  ///
  /// @return a future that completes when the backups know it, with the version
  Future<Long> leave(Life trainer) {
    if (group == null || !group.trainers().present().contains(trainer)) {
      return append(new NoOp());
    }
    collected.remove(trainer);
    Waiting one = waiting.remove(trainer);
    if (one != null) {
      complete(one.answer, NOT_MINE); // if it asks again, it is told that it has not joined
    }
    group.clocks().withdraw(trainer);
    group.trainers().leave(trainer);
    return trainersChanged(group);
  }

  private Future<Long> trainersChanged(Group here) {
    Clocks.Outcome<Life> outcome = here.clocks().membersChanged();
    Future<Long> answer = append(new TrainersChanged(trainers(here)));
    carryOut(outcome);
    return answer;
  }

  /// Adds an entry to the log.
  ///
  /// @return a future that completes when the entry is committed, with the version, or with
  ///     [#NOT_MINE]
  private Future<Long> append(LogEntry entry) {
    Promise<Long> answer = Promise.promise();
    unanswered.add(answer);
    log.append(
        entry,
        () -> {
          unanswered.remove(answer);
          answer(answer);
        });
    return answer.future();
  }

  private static Trainers trainers(Group group) {
    return new Trainers(group.clocks().times(), group.trainers().isComplete());
  }

  /// Returns the trainers that are present.
  List<Life> present() {
    return group == null ? List.of() : List.copyOf(group.trainers().present());
  }

  /// Adds a push.
  ///
  /// @return a future of the version, which completes when the trainer may continue, or with
  ///     [#NOT_MINE]
  Future<Long> push(Life trainer, PartPush push) {
    Group here = defined();
    Waiting before = waiting.get(trainer);
    Promise<Long> answer = Promise.promise();
    if (before != null && before.number == push.number()) {
      before.answer = answer; // repeated; the former answer does not reach the trainer
      return answer.future();
    }
    if (before != null && before.number > push.number()) {
      answer(answer); // it has come late, and nobody waits for the answer
      return answer.future();
    }
    Waiting one = new Waiting(push.number(), answer);
    waiting.put(trainer, one);
    if (isTaken(trainer, push.number())) {
      one.isCommitted = isSettled && replica().contains(trainer, push.number());
      carryOut(here.clocks().repeat(trainer));
    } else {
      collected.put(trainer, push);
      carryOut(here.clocks().push(trainer));
    }
    return answer.future();
  }

  /// Checks that a push can be added.
  ///
  /// @throws IllegalStateException if the trainer has not joined
  /// @throws dev.tensorbus.autograd.ShapeException if a gradient does not fit its parameter
  void requireFit(Life trainer, PartPush push) {
    if (!defined().trainers().present().contains(trainer)) {
      throw new IllegalStateException(
          "%s has not joined \"%s\", or was lost; join again".formatted(trainer, part.group()));
    }
    if (!push.gradients().isEmpty()) {
      replica().requireFit(push.gradients());
    }
  }

  private boolean isTaken(Life trainer, long number) {
    Replica replica = log.replica();
    return taken.getOrDefault(trainer, -1L) >= number
        || (replica != null && replica.contains(trainer, number));
  }

  /// Returns a future that completes with the version as soon as it is at least the given one, or
  /// with [#NOT_MINE].
  Future<Long> await(long version) {
    Promise<Long> answer = Promise.promise();
    pulls.add(new PullWait(version, answer));
    answerPulls();
    return answer.future();
  }

  /// Ends this primary: all waiting trainers are told to ask another server.
  void depose() {
    isDeposed = true;
    waiting.values().forEach(one -> complete(one.answer, NOT_MINE));
    waiting.clear();
    pulls.forEach(pull -> complete(pull.answer(), NOT_MINE));
    pulls.clear();
    unanswered.forEach(answer -> complete(answer, NOT_MINE));
    unanswered.clear();
  }

  private void carryOut(Clocks.Outcome<Life> outcome) {
    for (Life trainer : outcome.released()) {
      mark(trainer).isReleased = true;
    }
    for (Life trainer : outcome.dropped()) {
      collected.remove(trainer);
      mark(trainer).isCommitted = true;
    }
    if (!outcome.step().isEmpty()) {
      step(outcome.step().stream().toList());
    }
    Clocks.Grace grace = outcome.grace();
    if (grace != null) {
      host.after(grace.duration(), () -> graceEnded(grace));
    }
    outcome.released().forEach(this::answerIfDue);
  }

  private void graceEnded(Clocks.Grace grace) {
    if (!isDeposed) {
      carryOut(defined().clocks().graceEnded(grace));
    }
  }

  /// Returns a trainer's wait, or a new one that nobody sees if it has left.
  private Waiting mark(Life trainer) {
    return Objects.requireNonNullElseGet(
        waiting.get(trainer), () -> new Waiting(0, Promise.promise()));
  }

  private void step(List<Life> combined) {
    Map<Life, Long> numbers = new TreeMap<>();
    List<PartPush> pushes = new ArrayList<>();
    for (Life trainer : combined) {
      PartPush push = Objects.requireNonNull(collected.remove(trainer), trainer::toString);
      numbers.put(trainer, push.number());
      pushes.add(push);
    }
    taken.putAll(numbers);
    List<Tensor> mean = PartPush.mean(pushes);
    log.append(
        new Step(numbers, pushes.getFirst().optimizer(), mean, trainers(defined())),
        () -> committed(numbers));
  }

  private void committed(Map<Life, Long> numbers) {
    numbers.forEach(
        (trainer, number) -> {
          Waiting one = waiting.get(trainer);
          if (one != null && one.number == number) {
            one.isCommitted = true;
            answerIfDue(trainer);
          }
        });
    answerPulls();
  }

  private void answerIfDue(Life trainer) {
    Waiting one = waiting.get(trainer);
    if (one != null && one.isCommitted && one.isReleased) {
      waiting.remove(trainer);
      answer(one.answer);
    }
  }

  private void answerPulls() {
    if (log.replica() == null || !isSettled) {
      return;
    }
    List<PullWait> due =
        pulls.stream().filter(pull -> pull.version() <= replica().version()).toList();
    pulls.removeAll(due);
    due.forEach(pull -> answer(pull.answer()));
  }

  private void answer(Promise<Long> promise) {
    complete(promise, replica().version());
  }

  private void complete(Promise<Long> promise, long version) {
    host.unlocked(() -> promise.tryComplete(version));
  }
}
