// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.BackupRequest;
import dev.tensorbus.optim.server.replica.ConsistencyAnswer;
import dev.tensorbus.optim.server.replica.JoinAnswer;
import dev.tensorbus.optim.server.replica.JoinRequest;
import dev.tensorbus.optim.server.replica.LogEntry;
import dev.tensorbus.optim.server.replica.PartStatus;
import dev.tensorbus.optim.server.replica.PullAnswer;
import dev.tensorbus.optim.server.replica.PullRequest;
import dev.tensorbus.optim.server.replica.PushRequest;
import dev.tensorbus.optim.server.replica.SlotAnswer;
import dev.tensorbus.optim.server.replica.SlotServer;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Part;
import dev.tensorbus.optim.server.slot.SlotMap;
import dev.tensorbus.optim.server.view.SimulatedViews;
import dev.tensorbus.rpc.testing.Simulation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Checks, after each event of a [SimulatedStore], what must always hold:
///
/// - **wait**: no pull or push waits forever.
/// - **dead**: nobody waits for the dead: the clocks of trainers that died are forgotten.
/// - **tau**: the fastest trainer is at most the staleness ahead of the slowest.
/// - **primary**: one primary at a time: one server for a slot's term, one map for an epoch, and
///   soon after a new primary's appointment the former one answers nothing.
/// - **error**: no request fails.
/// - **once**: each acknowledged push is applied exactly once, and any other at most once.
///
/// It knows from the messages which pushes were made and answered, and from the values which were
/// applied: the push of the trainer with number `i` adds 1 to the value with index `i`.
final class Invariants implements Observer {
  /// How long a request may take. Trainers that are slow, and servers that take over, need less.
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /// How long after its death a trainer may be among those for which others wait.
  private static final Duration MOURNING = Duration.ofSeconds(2);

  private final Consistency consistency;

  /// Whether the consistency changes.
  private final boolean changes;

  /// How far a trainer may be ahead of another one.
  private final long tau;

  private @Nullable Simulation simulation;
  private @Nullable String violation;

  /// By trainer and slot: the number of its last push, and of its last push that was answered.
  private final Map<String, SortedMap<Integer, Long>> pushed = new TreeMap<>();

  private final Map<String, SortedMap<Integer, Long>> acknowledged = new TreeMap<>();

  /// By trainer and slot: the number of its pushes without gradients, by which it has caught up.
  private final Map<String, SortedMap<Integer, Long>> empty = new TreeMap<>();

  /// By trainer and slot: its clock when it has joined.
  private final Map<String, SortedMap<Integer, Long>> joined = new TreeMap<>();

  /// By name: the trainers that nobody may overtake by more than the staleness.
  private final SortedMap<String, SimulatedTrainer> pacemakers = new TreeMap<>();

  /// By client: when its current request began.
  private final SortedMap<String, Duration> waiting = new TreeMap<>();

  private final Map<String, Duration> dead = new HashMap<>();

  /// By epoch: the hash of the map.
  private final Map<Long, Long> maps = new HashMap<>();

  /// By slot: the newest term, and when it began.
  private final Map<Integer, Term> terms = new HashMap<>();

  /// By slot and term: the server that has acted as the primary.
  private final Map<List<Long>, Life> primaries = new HashMap<>();

  /// By part: what the newest primary's entries say of the trainers.
  private final Map<Part, Seen> entries = new HashMap<>();

  /// The pulls that a server has not answered yet.
  private final Set<PendingPull> pulls = new LinkedHashSet<>();

  /// By server, slot and term: the newest version in its answers to pushes.
  private final Map<SlotServer, Map<List<Long>, Long>> reached = new IdentityHashMap<>();

  private record PendingPull(SlotServer server, PullRequest request, Future<?> answer) {
    /// Returns whether the answer is due, since the server has the version of all slots.
    private boolean isDue(Map<List<Long>, Long> reached) {
      SlotMap map = server.map();
      return !answer.isComplete()
          && request.known().keySet().stream()
              .allMatch(
                  slot ->
                      reached.getOrDefault(key(map, slot), 0L) >= Math.max(1, request.atLeast()));
    }
  }

  private static List<Long> key(SlotMap map, int slot) {
    return List.of((long) slot, map.terms().get(slot));
  }

  private record Term(long number, Life primary, Duration since) {}

  /// The trainers after a primary's entry with this number.
  private record Seen(long term, long number, SortedMap<Life, Long> clocks) {}

  /// @param consistency the first consistency
  /// @param other the one to which trainers change it and back; empty if none does
  Invariants(String consistency, String other) {
    this.consistency = Consistency.parse(consistency);
    changes = !other.isEmpty();
    tau = Math.max(tau(this.consistency), changes ? tau(Consistency.parse(other)) : 0);
  }

  private static long tau(Consistency consistency) {
    return switch (consistency) {
      case Consistency.Ssp ssp -> ssp.staleness();
      case Consistency.Bsp _ -> 0;
      case Consistency.Async _, Consistency.Quorum _ -> Integer.MAX_VALUE;
    };
  }

  /// Starts to check.
  void start(Simulation newSimulation) {
    simulation = newSimulation;
    checkWaiting();
  }

  /// Returns what is wrong, or null.
  @Nullable String violation() {
    return violation;
  }

  private Duration now() {
    return simulation == null ? Duration.ZERO : simulation.time();
  }

  private void require(boolean holds, String rule, String format, Object... arguments) {
    if (!holds && violation == null) {
      violation = "%s, after %s: %s".formatted(rule, now(), format.formatted(arguments));
    }
  }

  // --- wait, dead

  /// A client begins to wait.
  void began(String client) {
    waiting.put(client, now());
  }

  void ended(String client) {
    waiting.remove(client);
  }

  void failed(String client, Throwable error) {
    require(dead.containsKey(client), "error", "%s: %s", client, error);
  }

  private void checkWaiting() {
    waiting.forEach(
        (client, since) ->
            require(
                now().minus(since).compareTo(PATIENCE) < 0,
                "wait",
                "%s waits since %s",
                client,
                since));
    if (simulation != null) {
      simulation.after(PATIENCE.dividedBy(20), this::checkWaiting);
    }
  }

  /// A server has answered a push. The pulls that have waited for its step must be answered, too.
  private void reached(SlotServer server, SlotAnswer answer) {
    Map<List<Long>, Long> here = reached.computeIfAbsent(server, _ -> new HashMap<>());
    SlotMap map = server.map();
    answer.versions().forEach((slot, version) -> here.merge(key(map, slot), version, Math::max));
    pulls.removeIf(pull -> pull.answer().isComplete());
    if (simulation != null && pulls.stream().anyMatch(pull -> pull.server() == server)) {
      simulation.after(Duration.ZERO, () -> checkPulls(server, here));
    }
  }

  private void checkPulls(SlotServer server, Map<List<Long>, Long> reached) {
    for (PendingPull pull : pulls) {
      require(
          pull.server() != server || !pull.isDue(reached),
          "wait",
          "a server does not answer %s, though it has reached %s",
          pull.request(),
          reached);
    }
  }

  @Override
  public void died(String worker) {
    dead.put(worker, now());
    pacemakers.remove(worker);
    waiting.remove(worker);
  }

  @Override
  public void replicates(Life life, SlotServer server, BackupMessage message) {
    for (BackupRequest request : message.requests()) {
      acts(life, request.part().slot(), request.term());
      if (request instanceof BackupRequest.Append append) {
        see(server, append, message);
      }
    }
  }

  private void see(SlotServer server, BackupRequest.Append append, BackupMessage message) {
    Part part = append.part();
    Seen before = entries.get(part);
    boolean isSameTerm = before != null && before.term() == append.term();
    if (before != null
        && (before.term() > append.term() || (isSameTerm && before.number() >= append.number()))) {
      return; // sent again, or to another backup
    }
    boolean isNext = isSameTerm && before.number() + 1 == append.number();
    if (!isNext && append.number() > 1) { // others were seen by nobody
      entries.put(part, new Seen(append.term(), last(part, message), clocks(server, part)));
      return;
    }
    SortedMap<Life, Long> clocks = isNext ? before.clocks() : new TreeMap<>();
    entries.put(part, new Seen(append.term(), append.number(), clocks));
    switch (append.entry()) {
      case LogEntry.TrainersChanged(LogEntry.TrainersChange change) -> see(part, clocks, change);
      case LogEntry.Step step -> see(part, clocks, step.change());
      case LogEntry.Restored restored -> see(part, clocks, restored.change());
      case LogEntry.Defined _, LogEntry.NoOp _, LogEntry.ConsistencyChanged _ -> {}
    }
  }

  /// Returns the number of a message's last entry of a part.
  private static long last(Part part, BackupMessage message) {
    return message.requests().stream()
        .filter(BackupRequest.Append.class::isInstance)
        .map(BackupRequest.Append.class::cast)
        .filter(append -> append.part().equals(part))
        .mapToLong(BackupRequest.Append::number)
        .max()
        .orElseThrow();
  }

  private static SortedMap<Life, Long> clocks(SlotServer server, Part part) {
    PartStatus status = server.status().get(part);
    return status == null ? new TreeMap<>() : new TreeMap<>(status.clocks());
  }

  private void see(Part part, SortedMap<Life, Long> clocks, LogEntry.TrainersChange change) {
    clocks.putAll(change.clocks());
    clocks.keySet().removeAll(change.gone());
    for (Life trainer : clocks.keySet()) {
      Duration death = dead.get(trainer.worker());
      require(
          death == null || now().minus(death).compareTo(MOURNING) < 0,
          "dead",
          "%s waits for %s, which died after %s",
          part,
          trainer,
          death);
    }
    if (change.isComplete() && !clocks.isEmpty()) {
      long gap = Collections.max(clocks.values()) - Collections.min(clocks.values());
      require(gap <= tau + 1, "tau", "%s has the clocks %s", part, clocks);
    }
  }

  // --- tau

  /// Adds a trainer that is expected from the beginning. One that joins later counts from the clock
  /// of the slowest.
  void paces(SimulatedTrainer trainer) {
    pacemakers.put(trainer.name(), trainer);
  }

  /// A trainer begins to leave.
  void leaves(SimulatedTrainer trainer) {
    pacemakers.remove(trainer.name());
  }

  /// A trainer may continue after a push.
  void released(SimulatedTrainer trainer) {
    if (!pacemakers.containsKey(trainer.name())) {
      return;
    }
    for (SimulatedTrainer other : pacemakers.values()) {
      require(
          clock(trainer) - clock(other) <= tau,
          "tau",
          "%s may continue after %d pushes, but %s has made %d",
          trainer.name(),
          clock(trainer),
          other.name(),
          clock(other));
    }
  }

  /// Returns the pushes of a trainer, those included that were made before it joined.
  private long clock(SimulatedTrainer trainer) {
    return start(trainer.name()) + trainer.pushes();
  }

  // --- primary

  @Override
  public void learned(SlotMap map) {
    long hash = ContentHash.of(map);
    Long other = maps.putIfAbsent(map.epoch(), hash);
    require(other == null || other == hash, "primary", "two maps of epoch %d", map.epoch());
    if (other == null) {
      for (int slot = 0; slot < SlotMap.SLOTS; slot++) {
        Life primary = map.primary(slot);
        Term known = terms.get(slot);
        long number = map.terms().get(slot);
        if (primary != null && (known == null || known.number() < number)) {
          terms.put(slot, new Term(number, primary, now()));
        }
      }
    }
  }

  private void acts(Life server, int slot, long term) {
    Life other = primaries.putIfAbsent(List.of((long) slot, term), server);
    require(
        other == null || other.equals(server),
        "primary",
        "%s and %s are primaries of slot %d in term %d",
        other,
        server,
        slot,
        term);
  }

  /// Checks an answer that a server gives at once.
  private void checkTerms(Life server, SlotMap map, Set<Integer> slots) {
    for (int slot : slots) {
      acts(server, slot, map.terms().get(slot));
      Term newest = terms.get(slot);
      require(
          newest == null
              || newest.number() == map.terms().get(slot)
              || now().minus(newest.since()).compareTo(SimulatedViews.LONGEST_LEASE) < 0,
          "primary",
          "%s answers for slot %d, of which another server is the primary since %s",
          server,
          slot,
          newest == null ? null : newest.since());
    }
  }

  private boolean isNewestPrimary(Life server, int slot) {
    Term newest = terms.get(slot);
    return newest != null && newest.primary().equals(server);
  }

  // --- once

  @Override
  public void asked(Object request) {
    if (request instanceof PushRequest push) {
      String trainer = push.contributor().worker();
      push.pushes()
          .forEach(
              (slot, part) -> {
                raise(pushed, trainer, slot, Math.max(0, part.number()));
                raise(empty, trainer, slot, Math.max(0, 1 - part.number()));
              });
    }
  }

  private static void raise(
      Map<String, SortedMap<Integer, Long>> numbers, String trainer, int slot, long number) {
    numbers.computeIfAbsent(trainer, _ -> new TreeMap<>()).merge(slot, number, Math::max);
  }

  private static long number(
      Map<String, SortedMap<Integer, Long>> numbers, String trainer, int slot) {
    return numbers.getOrDefault(trainer, Collections.emptySortedMap()).getOrDefault(slot, 0L);
  }

  @Override
  public void received(
      Life life, SlotServer server, SlotMap map, Object request, Future<?> future) {
    if (future.succeeded()) {
      switch (future.result()) {
        case SlotAnswer answer -> checkTerms(life, map, answer.versions().keySet());
        case JoinAnswer answer -> checkTerms(life, map, answer.answer().versions().keySet());
        case ConsistencyAnswer answer -> checkTerms(life, map, answer.answer().versions().keySet());
        case PullAnswer pulled -> checkTerms(life, map, pulled.answer().versions().keySet());
        case null, default -> {}
      }
    } else if (request instanceof PullRequest pull && !future.isComplete()) {
      pulls.add(new PendingPull(server, pull, future));
    }
    future.onSuccess(
        answered -> {
          if (request instanceof PushRequest push && answered instanceof SlotAnswer answer) {
            reached(server, answer);
            for (int slot : answer.versions().keySet()) {
              String trainer = push.contributor().worker();
              raise(acknowledged, trainer, slot, Math.max(0, push.pushes().get(slot).number()));
            }
          }
          if (request instanceof JoinRequest join && answered instanceof JoinAnswer answer) {
            Map<Integer, Long> clocks =
                joined.computeIfAbsent(join.trainer().worker(), _ -> new TreeMap<>());
            answer.clocks().forEach((slot, clock) -> clocks.merge(slot, clock, Math::min));
          }
          if (answered instanceof PullAnswer pulled) {
            pulled
                .values()
                .forEach(
                    (slot, values) -> {
                      long version = pulled.answer().versions().getOrDefault(slot, 0L);
                      values.values().forEach(value -> checkOnce(life, slot, version, value));
                    });
          }
        });
  }

  /// Checks that a value contains each push once.
  private void checkOnce(Life server, int slot, long version, Tensor value) {
    float[] applied = value.values();
    double sum = 0;
    for (float one : applied) {
      sum += one;
    }
    double without = version - 1 - sum;
    long most = empty.keySet().stream().mapToLong(name -> number(empty, name, slot)).sum();
    require(
        -1e-2 < without && without < most + 1e-2,
        "once",
        "version %d of slot %d contains %s pushes, and at most %d without gradients",
        version,
        slot,
        sum,
        most);
    Set<String> trainers = new HashSet<>(pushed.keySet());
    if (consistency instanceof Consistency.Bsp && !changes) {
      long fastest =
          trainers.stream()
              .mapToLong(name -> start(name) + number(pushed, name, slot))
              .max()
              .orElse(0);
      require(version - 1 <= fastest, "once", "%d steps of %d pushes", version - 1, fastest);
    }
    for (String trainer : trainers) {
      long made = number(pushed, trainer, slot);
      long least = isNewestPrimary(server, slot) ? number(acknowledged, trainer, slot) : 0;
      double here =
          consistency instanceof Consistency.Bsp && !changes
              ? Math.clamp(version - 1 - start(trainer), 0, made)
              : applied[SimulatedTrainer.index(trainer)];
      require(
          least * leastShare() - 1e-2 < here && here < made + 1e-2,
          "once",
          "slot %d of %s contains %s pushes of %s, of which %d were acknowledged and %d made",
          slot,
          server,
          here,
          trainer,
          least,
          made);
    }
  }

  /// Returns the least part of a push in a step: with a changing consistency, any number of the
  /// trainers may take part.
  private double leastShare() {
    return changes ? 1.0 / pushed.size() : 1;
  }

  /// Returns the clock of a trainer's first push with gradients, which is the same in all slots.
  private long start(String trainer) {
    Map<Integer, Long> clocks = joined.getOrDefault(trainer, Collections.emptySortedMap());
    return clocks.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
