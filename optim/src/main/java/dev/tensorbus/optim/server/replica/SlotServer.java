// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.replica.LogEntry.Defined;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Part;
import dev.tensorbus.optim.server.slot.SlotMap;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// One parameter server: the primary of some slots and a backup of others, as the [SlotMap] says.
/// It has no threads, time or I/O of its own, so that a simulation of many servers takes the same
/// decisions.
///
/// Thread-safe. All work is done under one lock. Futures complete, and messages are sent, without
/// it.
public final class SlotServer {
  private static final Duration RETRY = Duration.ofMillis(20);

  private final Life self;
  private final Surroundings surroundings;
  private final SortedMap<Part, Primary> primaries = new TreeMap<>();
  private final SortedMap<Part, Backup> backups = new TreeMap<>();
  private final Host host = new LockedHost();
  private final List<Early> earlyRequests = new ArrayList<>();
  private final Queue<Runnable> unlocked = new ArrayDeque<>();

  /// By server: the requests that have yet to be sent.
  private final SortedMap<Life, List<Outgoing>> outgoing = new TreeMap<>();

  private final SlotCopies copies;
  private SlotMap map;

  private record Outgoing(BackupRequest request, Consumer<Boolean> answered) {}

  /// @param map the current map
  public SlotServer(Life self, SlotMap map, Surroundings surroundings) {
    this.self = self;
    this.map = map;
    this.surroundings = surroundings;
    this.copies =
        new SlotCopies(
            self,
            () -> this.map,
            primaries,
            filled -> unlocked.add(() -> surroundings.propose(filled)));
  }

  /// Returns the newest map that this server knows.
  public synchronized SlotMap map() {
    return map;
  }

  /// Returns what the primaries of this server know, by part.
  public synchronized SortedMap<Part, PartStatus> status() {
    SortedMap<Part, PartStatus> all = new TreeMap<>();
    primaries.forEach(
        (part, primary) -> {
          PartStatus status = primary.status();
          if (status != null) {
            all.put(part, status);
          }
        });
    return all;
  }

  /// Runs an action under the lock, then sends and completes what has accumulated meanwhile.
  private <T> T locked(Supplier<T> action) {
    List<Runnable> completions = new ArrayList<>();
    SortedMap<Life, List<Outgoing>> messages = new TreeMap<>();
    long epoch = 0;
    try {
      synchronized (this) {
        try {
          return action.get();
        } finally {
          completions.addAll(unlocked);
          unlocked.clear();
          messages.putAll(outgoing);
          epoch = map.epoch();
          outgoing.clear();
        }
      }
    } finally {
      for (Map.Entry<Life, List<Outgoing>> message : messages.entrySet()) {
        send(message.getKey(), epoch, message.getValue());
      }
      completions.forEach(Runnable::run);
    }
  }

  private void locked(Runnable action) {
    boolean _ =
        locked(
            () -> {
              action.run();
              return true;
            });
  }

  /// Sends requests. If the server does not answer, they are sent again until the map says that it
  /// is gone.
  private void send(Life server, long epoch, List<Outgoing> requests) {
    List<BackupRequest> all = requests.stream().map(Outgoing::request).toList();
    surroundings
        .send(new BackupMessage(server, epoch, all))
        .onComplete(
            answers -> {
              if (answers.succeeded()) {
                locked(() -> answered(requests, answers.result()));
              } else {
                surroundings.after(RETRY, () -> locked(() -> again(server, requests)));
              }
            });
  }

  private void answered(List<Outgoing> requests, List<Boolean> answers) {
    for (int i = 0; i < requests.size(); i++) {
      if (isOfThisTerm(requests.get(i).request())) {
        requests.get(i).answered().accept(answers.get(i));
      }
    }
  }

  private void again(Life server, List<Outgoing> requests) {
    if (map.servers().contains(server)) {
      List<Outgoing> valid = requests.stream().filter(one -> isOfThisTerm(one.request())).toList();
      outgoing.computeIfAbsent(server, _ -> new ArrayList<>()).addAll(valid);
    }
  }

  /// Returns whether this server is the primary of a request's part, and was when it was made.
  private boolean isOfThisTerm(BackupRequest request) {
    int slot = request.part().slot();
    return self.equals(map.primary(slot)) && map.terms().get(slot) == request.term();
  }

  // --- Agreement

  /// Sets a new map, on which all servers agree.
  public void setMap(SlotMap next) {
    locked(
        () -> {
          if (next.epoch() > map.epoch()) {
            SlotMap before = map;
            map = next;
            depose(before);
            promote();
            primaries.forEach(this::setBackups);
            forgetBackups();
            handleEarlyRequests();
            copies.mapChanged(slot -> isOver(before, slot));
          }
        });
  }

  private void forgetBackups() {
    List<Part> ended = backups.keySet().stream().filter(part -> !isReplica(part.slot())).toList();
    ended.forEach(part -> Objects.requireNonNull(backups.remove(part)).refuseWaiting());
  }

  /// Returns whether this server is a replica of a slot, or will be one.
  private boolean isReplica(int slot) {
    return map.replicas().get(slot).contains(self) || map.wanted().get(slot).contains(self);
  }

  /// Returns whether a term of this server as a slot's primary is over.
  private boolean isOver(SlotMap before, int slot) {
    return !isPrimary(map, slot) || !before.terms().get(slot).equals(map.terms().get(slot));
  }

  private boolean isPrimary(SlotMap map, int slot) {
    return self.equals(map.primary(slot));
  }

  private void depose(SlotMap before) {
    List<Part> ended =
        primaries.keySet().stream().filter(part -> isOver(before, part.slot())).toList();
    for (Part part : ended) {
      Primary primary = Objects.requireNonNull(primaries.remove(part));
      primary.depose();
      backups.put(part, new Backup(primary.log().replica(), host));
    }
  }

  private void promote() {
    List<Part> gained =
        backups.keySet().stream().filter(part -> isPrimary(map, part.slot())).toList();
    for (Part part : gained) {
      Backup backup = Objects.requireNonNull(backups.remove(part));
      backup.refuseWaiting();
      Primary primary = new Primary(part, term(part), backup.replica(), host);
      primaries.put(part, primary);
      setBackups(part, primary);
      primary.start(surroundings::isPresent);
    }
  }

  private long term(Part part) {
    return map.terms().get(part.slot());
  }

  private void setBackups(Part part, Primary primary) {
    List<Life> replicas = map.replicas().get(part.slot());
    primary.log().setBackups(replicas.subList(1, replicas.size()), map.wanted().get(part.slot()));
  }

  // --- Requests of other servers

  /// Handles the requests of a primary to this backup. Carries none out if they are for a former
  /// life of this server.
  ///
  /// @return a future of whether each was carried out, which completes when this server knows the
  ///     primary's map, too
  public Future<List<Boolean>> handle(BackupMessage message) {
    if (!message.to().equals(self)) {
      return Future.succeededFuture(message.refused());
    }
    Early early = new Early(message.epoch(), message.requests(), Promise.promise());
    locked(
        () -> {
          if (early.epoch() > map.epoch()) {
            earlyRequests.add(early);
          } else {
            handle(early);
          }
        });
    return early.answers().future();
  }

  /// Requests that have arrived before the map of their sender.
  private record Early(long epoch, List<BackupRequest> requests, Promise<List<Boolean>> answers) {}

  private void handleEarlyRequests() {
    List<Early> due = earlyRequests.stream().filter(one -> one.epoch() <= map.epoch()).toList();
    earlyRequests.removeAll(due);
    due.forEach(this::handle);
  }

  private void handle(Early one) {
    List<Future<Boolean>> answers = one.requests().stream().map(this::handle).toList();
    host.unlocked(
        () ->
            Future.all(answers)
                .map(_ -> answers.stream().map(Future::result).toList())
                .onComplete(one.answers()::handle));
  }

  private Future<Boolean> handle(BackupRequest request) {
    if (request.term() < term(request.part()) || !isReplica(request.part().slot())) {
      return Future.succeededFuture(false);
    }
    return backups.computeIfAbsent(request.part(), _ -> new Backup(null, host)).handle(request);
  }

  // --- Requests of trainers

  /// Adds a trainer to a group in some slots, and defines the group where it is not defined yet.
  ///
  /// @return a future of the trainer's clocks, which completes when the backups know the trainer
  /// @throws IllegalArgumentException if the group has other settings
  /// @throws IllegalStateException if the trainer's worker has left the world
  public Future<JoinAnswer> join(JoinRequest request) {
    Life trainer = request.trainer();
    if (trainer != null && !surroundings.isPresent(trainer.worker())) {
      throw new IllegalStateException(trainer + " has left the world"); // came late
    }
    return answer(
            request.settings().name(),
            request.values(),
            (part, values) -> requireFit(part, request.settings(), values),
            (part, values) -> {
              Primary primary = primaries.computeIfAbsent(part, _ -> start(part));
              if (primary.settings() == null) {
                primary.define(new Defined(request.settings(), values));
              }
              return trainer == null ? primary.settle() : primary.join(trainer);
            })
        .map(
            answer ->
                trainer == null
                    ? new JoinAnswer(answer, Map.of())
                    : locked(() -> joined(trainer, request, answer)));
  }

  private JoinAnswer joined(Life trainer, JoinRequest request, SlotAnswer answer) {
    Map<Integer, Long> versions = new TreeMap<>(answer.versions());
    Map<Integer, Long> clocks = new TreeMap<>();
    for (int slot : answer.versions().keySet()) {
      Optional.ofNullable(primaries.get(new Part(request.settings().name(), slot)))
          .flatMap(primary -> primary.clock(trainer))
          .ifPresent(clock -> clocks.put(slot, clock));
    }
    versions.keySet().retainAll(clocks.keySet());
    return new JoinAnswer(answer(versions, request.values().size()), clocks);
  }

  private Primary start(Part part) {
    Primary primary = new Primary(part, term(part), null, host);
    setBackups(part, primary);
    primary.start(surroundings::isPresent);
    copies.copy(part, primary);
    return primary;
  }

  /// Removes a trainer from a group, for which the others no longer wait then.
  ///
  /// @return a future of the versions, which completes when the backups know it
  public Future<SlotAnswer> leave(LeaveRequest request) {
    Map<Integer, Integer> slots = new TreeMap<>();
    request.slots().forEach(slot -> slots.put(slot, slot));
    return answer(
        request.group(),
        slots,
        (part, _) -> primary(part),
        (part, _) -> primary(part).leave(request.trainer()));
  }

  /// Removes the trainers of a worker that is lost.
  public void lose(String worker) {
    locked(
        () -> {
          for (Primary primary : primaries.values()) {
            primary.present().stream()
                .filter(trainer -> trainer.worker().equals(worker))
                .forEach(primary::leave);
          }
        });
  }

  /// Adds a trainer's gradients.
  ///
  /// @return a future of the versions, which completes when the trainer may continue
  /// @throws IllegalStateException if the trainer has not joined
  /// @throws dev.tensorbus.autograd.ShapeException if a gradient does not fit its parameter
  public Future<SlotAnswer> push(PushRequest request) {
    return answer(
        request.group(),
        request.pushes(),
        (part, push) -> primary(part).requireFit(request.contributor(), push),
        (part, push) -> primary(part).push(request.contributor(), push));
  }

  /// Returns the values that the caller does not have, and the shards that it has to compute.
  ///
  /// @return a future that completes when all versions are at least [PullRequest#atLeast], or the
  ///     caller has to compute shards before
  public Future<PullAnswer> pull(PullRequest request) {
    return answer(
            request.group(),
            request.known(),
            (part, _) -> primary(part),
            (part, _) -> primary(part).await(request))
        .map(answer -> locked(() -> values(request, answer)));
  }

  private PullAnswer values(PullRequest request, SlotAnswer answer) {
    Map<Integer, Long> versions = new TreeMap<>();
    Map<Integer, SortedMap<String, Tensor>> values = new HashMap<>();
    Map<Integer, Set<Integer>> open = new HashMap<>();
    for (int slot : answer.versions().keySet()) {
      Primary primary = primaries.get(new Part(request.group(), slot));
      Replica replica = primary == null ? null : primary.log().replica();
      if (primary != null && replica != null) {
        boolean isPrevious =
            replica.version() == request.atMost() + 1 && !replica.previous().isEmpty();
        long version = isPrevious ? request.atMost() : replica.version();
        versions.put(slot, version);
        primary.open(request.trainer(), version).ifPresent(some -> open.put(slot, some));
        if (version != request.known().getOrDefault(slot, 0L)) {
          values.put(slot, isPrevious ? replica.previous() : replica.values());
        }
      }
    }
    return new PullAnswer(answer(versions, request.known().size()), values, open);
  }

  /// Returns the values and the optimizer's state of some slots.
  public Future<StateAnswer> state(StateRequest request) {
    return read(request).map(answer -> locked(() -> states(request, answer)));
  }

  private StateAnswer states(StateRequest request, SlotAnswer answer) {
    Map<Integer, Long> versions = new TreeMap<>();
    Map<Integer, SlotState> states = new HashMap<>();
    Set<String> consistencies = new TreeSet<>();
    for (int slot : answer.versions().keySet()) {
      Primary primary = primaries.get(new Part(request.group(), slot));
      Replica replica = primary == null ? null : primary.log().replica();
      if (replica != null) {
        versions.put(slot, replica.version());
        states.put(slot, replica.state());
        consistencies.add(replica.consistency().text());
      }
    }
    return new StateAnswer(answer(versions, request.slots().size()), states, consistencies);
  }

  /// Returns the present trainers of a group, as the first of some slots knows them.
  public Future<TrainersAnswer> trainers(StateRequest request) {
    return read(request)
        .map(
            answer ->
                new TrainersAnswer(
                    answer, locked(() -> trainers(request.group(), answer.versions().keySet()))));
  }

  private List<Life> trainers(String group, Set<Integer> slots) {
    return slots.stream()
        .flatMap(slot -> Stream.ofNullable(primaries.get(new Part(group, slot))))
        .findFirst()
        .map(Primary::present)
        .orElse(List.of());
  }

  private Future<SlotAnswer> read(StateRequest request) {
    return answer(
        request.group(),
        request.bySlot(),
        (part, _) -> primary(part),
        (part, _) -> primary(part).settle());
  }

  /// Changes the consistency of a group in some slots.
  ///
  /// @return a future of the consistencies, which completes when the backups know them
  /// @throws IllegalArgumentException if it cannot be changed so
  /// @throws IllegalStateException if a trainer has yet to join
  public Future<ConsistencyAnswer> change(ConsistencyRequest request) {
    return answer(
            request.group(),
            new StateRequest(request.group(), request.slots()).bySlot(),
            (part, _) -> primary(part).requireChangeable(request.consistency()),
            (part, _) -> primary(part).change(request.consistency()))
        .map(answer -> locked(() -> changed(request, answer)));
  }

  private ConsistencyAnswer changed(ConsistencyRequest request, SlotAnswer answer) {
    Map<Integer, Long> versions = new TreeMap<>(answer.versions());
    Map<Integer, AgreedConsistency> consistencies = new TreeMap<>();
    for (int slot : answer.versions().keySet()) {
      Optional.ofNullable(primaries.get(new Part(request.group(), slot)))
          .ifPresent(primary -> consistencies.put(slot, primary.consistency()));
    }
    versions.keySet().retainAll(consistencies.keySet());
    return new ConsistencyAnswer(answer(versions, request.slots().size()), consistencies);
  }

  /// Replaces the first values of some slots by those of an earlier run, where no step has been
  /// taken.
  ///
  /// @return a future of the versions, which completes when the backups know it
  /// @throws IllegalArgumentException if the state is that of another model
  /// @throws IllegalStateException if a trainer has pushed gradients of the first values
  public Future<SlotAnswer> restore(RestoreRequest request) {
    return answer(
        request.group(),
        request.states(),
        (part, state) -> primary(part).requireRestorable(state),
        (part, state) -> primary(part).restore(state));
  }

  private void requireFit(Part part, GroupSettings given, Map<String, Tensor> values) {
    Primary primary = primaries.get(part);
    GroupSettings settings = primary == null ? null : primary.settings();
    if (settings == null && values.isEmpty()) {
      throw new IllegalStateException(part + " is not defined; join with its first values");
    }
    if (settings != null && !settings.equals(given)) {
      throw new IllegalArgumentException(given.difference(settings));
    }
  }

  private Primary primary(Part part) {
    Primary primary = primaries.get(part);
    if (primary == null) {
      throw new IllegalStateException(
          "no group \"" + part.group() + "\"; a trainer must join first");
    }
    return primary;
  }

  /// An action for one slot of a trainer's request.
  @FunctionalInterface
  private interface SlotAction<V> {
    Future<Long> apply(Part part, V value);
  }

  /// Runs an action for each slot of which this server is the primary, or for none if a check
  /// fails.
  ///
  /// @return a future that completes when all are done or, since two trainers might wait for each
  ///     other in different slots, as soon as another server has one of the slots
  private <V> Future<SlotAnswer> answer(
      String group, Map<Integer, V> bySlot, BiConsumer<Part, V> check, SlotAction<V> action) {
    Map<Integer, Future<Long>> started = new TreeMap<>();
    locked(
        () -> {
          SortedMap<Integer, V> mine = new TreeMap<>(bySlot);
          boolean isLive = surroundings.isLive();
          mine.keySet().removeIf(slot -> !isLive || !isPrimary(map, slot));
          mine.forEach((slot, value) -> check.accept(new Part(group, slot), value));
          mine.forEach(
              (slot, value) -> started.put(slot, action.apply(new Part(group, slot), value)));
        });
    return allOrOneMoved(List.copyOf(started.values()), bySlot.size())
        .map(
            _ -> {
              Map<Integer, Long> versions = new TreeMap<>();
              started.forEach(
                  (slot, version) -> {
                    if (version.succeeded() && version.result() != Primary.NOT_MINE) {
                      versions.put(slot, version.result());
                    }
                  });
              return answer(versions, bySlot.size());
            });
  }

  private static Future<Void> allOrOneMoved(List<Future<Long>> started, int slots) {
    if (started.size() < slots) {
      return Future.succeededFuture();
    }
    Promise<Void> due = Promise.promise();
    Future.all(started).onSuccess(_ -> due.tryComplete()).onFailure(due::tryFail);
    for (Future<Long> one : started) {
      one.onSuccess(
          version -> {
            if (version == Primary.NOT_MINE) {
              due.tryComplete();
            }
          });
    }
    return due.future();
  }

  private synchronized SlotAnswer answer(Map<Integer, Long> versions, int slots) {
    return new SlotAnswer(versions, versions.size() < slots ? map : null);
  }

  private final class LockedHost implements Host {
    @Override
    public void send(Life backup, BackupRequest request, Consumer<Boolean> answered) {
      outgoing.computeIfAbsent(backup, _ -> new ArrayList<>()).add(new Outgoing(request, answered));
    }

    @Override
    public void unlocked(Runnable action) {
      unlocked.add(action);
    }

    @Override
    public void after(Duration time, Runnable action) {
      unlocked.add(() -> surroundings.after(time, () -> locked(action)));
    }
  }
}
