// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.consistency.Clocks;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.LogEntry.ConsistencyChanged;
import dev.tensorbus.optim.server.replica.LogEntry.Defined;
import dev.tensorbus.optim.server.replica.LogEntry.NoOp;
import dev.tensorbus.optim.server.replica.LogEntry.Restored;
import dev.tensorbus.optim.server.replica.LogEntry.Step;
import dev.tensorbus.optim.server.replica.LogEntry.Trainers;
import dev.tensorbus.optim.server.replica.LogEntry.TrainersChange;
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
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A part on its primary: decides, by the [Clocks] of the trainers, which pushes become a step, and
/// answers the trainers when all backups have the step. A trainer that waits occupies no thread.
///
/// A push that is repeated, since the trainer did not receive the answer, becomes part of one step
/// only. If this server was a backup before, that holds for pushes to the former primary, too.
///
/// A step combines pushes of trainers or, in a group with shards, of shards of the data. A shard's
/// push may come from any trainer, since all would compute the same gradients. Each trainer has to
/// compute every n-th shard; if a trainer dies, others learn by their pulls which of its shards
/// they have to compute.
final class Primary {
  /// The version in the answers of a server that is not the primary any more.
  static final long NOT_MINE = -1;

  private final Part part;
  private final Host host;
  private final EntryLog log;

  /// By contributor: the pushes that may become part of the next step.
  private final SortedMap<Life, PartPush> collected = new TreeMap<>();

  /// By contributor: the pushes that have yet to be answered.
  private final Map<Life, Waiting> waiting = new HashMap<>();

  /// The pulls that wait for a version.
  private final List<PullWait> pulls = new ArrayList<>();

  /// The joins and leaves that are not committed yet.
  private final Set<Promise<Long>> unanswered = new HashSet<>();

  /// The trainers that have joined or left, or whose clocks have changed, since the last entry.
  private final Set<Life> changed = new TreeSet<>();

  private @Nullable Group group;

  /// The current consistency, whose change may not be committed yet.
  private AgreedConsistency consistency = new AgreedConsistency(0, "");

  /// By contributor: the last push that has become part of a step, which may not be committed yet.
  private final Map<Life, Long> taken = new HashMap<>();

  /// Whether the values of an earlier run have been restored, which may not be committed yet.
  private boolean isRestored;

  private boolean isDeposed;

  /// Whether all backups have all entries of the former primaries. Before that, another server may
  /// become the primary without some of them.
  private boolean isSettled;

  /// The trainers of a part that is defined.
  ///
  /// @param contributors those whose pushes a step combines: the trainers, or the shards
  private record Group(
      GroupSettings settings,
      Members<Life> trainers,
      Members<Life> contributors,
      Clocks<Life> clocks) {}

  /// A push whose answer is due when its step is committed and the trainer may continue.
  private static final class Waiting {
    private final long number;
    private final Promise<Long> answer = Promise.promise();
    private boolean isCommitted;
    private boolean isReleased;

    private Waiting(long number) {
      this.number = number;
    }
  }

  private record PullWait(PullRequest request, Promise<Long> answer) {}

  /// @param replica the replica of this server, or null if the part is not defined yet
  Primary(Part part, long term, @Nullable Replica replica, Host host) {
    this.part = part;
    this.host = host;
    log = new EntryLog(part, term, replica, host);
    if (replica != null) {
      consistency = replica.consistency();
      group = group(replica.settings(), consistency, replica.trainers());
    }
  }

  private static Group group(GroupSettings settings, AgreedConsistency agreed, Trainers trainers) {
    Members<Life> members =
        Members.open("trainer", trainers.isComplete() ? 0 : settings.trainers());
    trainers.clocks().keySet().forEach(members::join);
    Consistency consistency = Consistency.parse(agreed.text());
    if (settings.shards() == 0) {
      var clocks = new Clocks<>(members, consistency, trainers.clocks(), trainers.start());
      return new Group(settings, members, members, clocks);
    }
    List<Life> keys = IntStream.range(0, settings.shards()).mapToObj(Life::ofShard).toList();
    Members<Life> shards = Members.of("shard", keys);
    var clocks = new Clocks<>(shards, consistency, Map.of(), trainers.start());
    return new Group(settings, members, shards, clocks);
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
    consistency = new AgreedConsistency(0, first.settings().consistency());
    group = group(first.settings(), consistency, Trainers.NONE);
  }

  /// Adds a trainer. Does nothing if it has joined already.
  ///
  /// @return a future that completes when the backups know it, with the version
  Future<Long> join(Life trainer) {
    Group here = defined();
    if (here.trainers().contains(trainer)) {
      return append(new NoOp());
    }
    present().stream().filter(trainer::isAnotherLifeOf).forEach(this::leave);
    here.trainers().join(trainer);
    return membersChanged(here, trainer);
  }

  /// Returns the clock of a trainer, or nothing if it has not joined. With shards it is 0.
  Optional<Long> clock(Life trainer) {
    return group == null || !group.trainers().contains(trainer)
        ? Optional.empty()
        : Optional.of(group.clocks().time(trainer).orElse(0L));
  }

  /// Returns a future that completes with the version when the backups have all earlier entries, or
  /// with [#NOT_MINE].
  Future<Long> settle() {
    return append(new NoOp());
  }

  /// Replaces the first values by those of an earlier run. Does nothing if the trainers have begun,
  /// or another one has restored a run.
  ///
  /// @return a future that completes when the backups know it, with the version
  Future<Long> restore(SlotState state) {
    if (hasBegun()) {
      return append(new NoOp());
    }
    Group here = defined();
    here.clocks().restart(state.version() - 1);
    isRestored = true;
    changed.addAll(here.trainers().present());
    return append(new Restored(state, takeChange(here)));
  }

  /// Checks that a state can be restored, if the trainers have not begun.
  ///
  /// @throws IllegalArgumentException if the state is that of another model
  /// @throws IllegalStateException if a trainer has pushed gradients of the first values
  void requireRestorable(SlotState state) {
    Replica replica = log.replica();
    if (replica != null) {
      replica.requireRestorable(state);
    }
    if (!hasBegun() && !collected.isEmpty()) {
      throw new IllegalStateException(
          "\"%s\" cannot be restored, since %s has been pushed; call resume on all trainers"
              .formatted(part.group(), collected.firstKey()));
    }
  }

  private boolean hasBegun() {
    return isRestored || !taken.isEmpty() || (log.replica() != null && replica().version() > 1);
  }

  /// Changes the consistency, unless it has been changed with this number or a higher one.
  ///
  /// @return a future that completes when the backups know it, with the version
  Future<Long> change(AgreedConsistency next) {
    if (next.number() <= consistency.number()) {
      return append(new NoOp());
    }
    consistency = next;
    Future<Long> answer = append(new ConsistencyChanged(next));
    carryOut(defined().clocks().change(Consistency.parse(next.text())));
    return answer;
  }

  /// Checks that the consistency can be changed.
  ///
  /// @throws IllegalArgumentException if it cannot be changed to this one
  /// @throws IllegalStateException if a trainer has yet to join
  void requireChangeable(AgreedConsistency next) {
    Group here = defined();
    if (next.number() <= consistency.number()) {
      return;
    }
    if (here.settings().shards() > 0) {
      throw new IllegalArgumentException(
          "%s for \"%s\", which has %d shards; expected bsp"
              .formatted(next.text(), part.group(), here.settings().shards()));
    }
    here.clocks().requireChangeable(Consistency.parse(next.text()));
  }

  /// Returns the current consistency.
  AgreedConsistency consistency() {
    return consistency;
  }

  /// Removes a trainer, and its push if that has not become part of a step.
  ///
  /// @return a future that completes when the backups know it, with the version
  Future<Long> leave(Life trainer) {
    if (group == null || !group.trainers().contains(trainer)) {
      return append(new NoOp());
    }
    collected.remove(trainer);
    Waiting one = waiting.remove(trainer);
    if (one != null) {
      complete(one.answer, NOT_MINE); // if it asks again, it is told that it has not joined
    }
    group.clocks().withdraw(trainer);
    group.trainers().leave(trainer);
    return membersChanged(group, trainer);
  }

  private Future<Long> membersChanged(Group here, Life trainer) {
    changed.add(trainer);
    carryOut(here.clocks().membersChanged());
    answerPulls(); // another trainer has to compute the shards of one that has left
    return append(new TrainersChanged(takeChange(here)));
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
          answerPulls(); // which may wait for restored values
        });
    return answer.future();
  }

  /// Returns what has changed since the last call.
  private TrainersChange takeChange(Group here) {
    SortedMap<Life, Long> clocks = new TreeMap<>();
    for (Life trainer : changed) {
      clock(trainer).ifPresent(clock -> clocks.put(trainer, clock));
    }
    changed.removeAll(clocks.keySet());
    Set<Life> gone = Set.copyOf(changed);
    changed.clear();
    return new TrainersChange(clocks, gone, here.clocks().start(), here.trainers().isComplete());
  }

  /// Returns what this primary knows, or null if the part is not defined yet.
  @Nullable PartStatus status() {
    if (group == null || log.replica() == null) {
      return null;
    }
    SortedMap<Life, Long> clocks = new TreeMap<>();
    present().forEach(trainer -> clocks.put(trainer, clock(trainer).orElseThrow()));
    return new PartStatus(replica().version(), clocks);
  }

  /// Returns the trainers that are present.
  List<Life> present() {
    return group == null ? List.of() : List.copyOf(group.trainers().present());
  }

  /// Adds a push.
  ///
  /// @return a future of the version, which completes when the trainer may continue, or with
  ///     [#NOT_MINE]
  Future<Long> push(Life contributor, PartPush push) {
    Group here = defined();
    Waiting before = waiting.get(contributor);
    if (before != null && before.number == push.number()) {
      return before.answer.future(); // repeated, or computed by another trainer, too
    }
    if (before != null && before.number > push.number()) {
      Promise<Long> late = Promise.promise(); // nobody waits for the answer
      answer(late);
      return late.future();
    }
    Waiting one = new Waiting(push.number());
    waiting.put(contributor, one);
    if (isTaken(contributor, push.number())) {
      one.isCommitted = isSettled && replica().contains(contributor, push.number());
      carryOut(here.clocks().repeat(contributor));
    } else {
      collected.put(contributor, push);
      carryOut(here.clocks().push(contributor));
    }
    return one.answer.future();
  }

  /// Checks that a push can be added.
  ///
  /// @throws IllegalStateException if the trainer has not joined
  /// @throws dev.tensorbus.autograd.ShapeException if a gradient does not fit its parameter
  void requireFit(Life contributor, PartPush push) {
    if (!defined().contributors().contains(contributor)) {
      throw new IllegalStateException(
          "%s has not joined \"%s\", or was lost; join again".formatted(contributor, part.group()));
    }
    if (!push.gradients().isEmpty()) {
      replica().requireFit(push.gradients());
    }
  }

  private boolean isTaken(Life contributor, long number) {
    Replica replica = log.replica();
    return taken.getOrDefault(contributor, Long.MIN_VALUE) >= number
        || (replica != null && replica.contains(contributor, number));
  }

  /// Returns a future that completes with the version as soon as a pull can be answered, or with
  /// [#NOT_MINE].
  Future<Long> await(PullRequest request) {
    Promise<Long> answer = Promise.promise();
    pulls.add(new PullWait(request, answer));
    answerPulls();
    return answer.future();
  }

  /// Returns the shards that a trainer has to compute from values of this version: its own ones,
  /// and its share of those of trainers that have left, as far as nobody has pushed them. Returns
  /// nothing if it has not joined, or was lost.
  Optional<Set<Integer>> open(Life trainer, long version) {
    Group here = defined();
    if (!here.trainers().contains(trainer)) {
      return Optional.empty();
    }
    Set<Integer> open = new TreeSet<>();
    int shards = here.trainers().isComplete() ? here.settings().shards() : 0;
    if (shards == 0) {
      return Optional.of(open);
    }
    List<Life> present = List.copyOf(here.trainers().present());
    for (int shard = present.indexOf(trainer); shard < shards; shard += present.size()) {
      Life key = Life.ofShard(shard);
      if (!collected.containsKey(key) && !isTaken(key, version)) {
        open.add(shard);
      }
    }
    return Optional.of(open);
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
    if (defined().settings().shards() == 0) { // else these are shards
      changed.addAll(outcome.step());
      changed.addAll(outcome.dropped());
    }
    for (Life trainer : outcome.dropped()) {
      collected.remove(trainer);
      mark(trainer).isCommitted = true;
    }
    Map<Life, Waiting> released = new TreeMap<>();
    outcome.released().forEach(trainer -> released.put(trainer, mark(trainer)));
    if (!outcome.step().isEmpty()) {
      step(outcome.step().stream().toList());
    }
    log.afterAll(() -> release(released)); // so that they see the steps for which they have waited
    Clocks.Grace grace = outcome.grace();
    if (grace != null) {
      host.after(grace.duration(), () -> graceEnded(grace));
    }
  }

  private void release(Map<Life, Waiting> released) {
    released.values().forEach(one -> one.isReleased = true);
    released.keySet().forEach(this::answerIfDue);
  }

  private void graceEnded(Clocks.Grace grace) {
    if (!isDeposed) {
      carryOut(defined().clocks().graceEnded(grace));
    }
  }

  /// Returns a trainer's wait, or a new one that nobody sees if it has left.
  private Waiting mark(Life trainer) {
    return Objects.requireNonNullElseGet(waiting.get(trainer), () -> new Waiting(0));
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
        new Step(numbers, PartPush.optimizer(pushes), mean, takeChange(defined())),
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
    List<PullWait> due = pulls.stream().filter(pull -> isDue(pull.request())).toList();
    pulls.removeAll(due);
    due.forEach(pull -> answer(pull.answer()));
  }

  private boolean isDue(PullRequest pull) {
    if (pull.atLeast() <= replica().version()) {
      return true;
    }
    if (replica().settings().shards() == 0) {
      return false;
    }
    Optional<Set<Integer>> open = open(pull.trainer(), pull.atLeast() - 1);
    return open.isEmpty() || !pull.computed().containsAll(open.get());
  }

  private void answer(Promise<Long> promise) {
    complete(promise, replica().version());
  }

  private void complete(Promise<Long> promise, long version) {
    host.unlocked(() -> promise.tryComplete(version));
  }
}
