// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.optim.server.client.SimulatedTrainer.Work;
import dev.tensorbus.optim.server.slot.SlotMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongFunction;

/// A run of a [SimulatedStore], all of whose decisions come from a seed. The last digits of the
/// seed choose the kind of run.
///
/// @param seed the seed
/// @param consistency the consistency
/// @param other the consistency to which a trainer changes it during the run, before another one
///     changes it back; empty if nobody changes it
/// @param votes whether the servers vote, may be cut off, and have clocks that drift
/// @param losesMessages whether messages may be lost
/// @param servers the number of servers
/// @param growsLater whether a further trainer joins during the run
record StoreRun(
    long seed,
    String consistency,
    String other,
    boolean votes,
    boolean losesMessages,
    int servers,
    boolean growsLater) {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final List<String> CONSISTENCIES = List.of("ssp:2", "bsp", "async", "ssp:0");
  private static final List<String> OTHERS = List.of("bsp", "ssp:2", "", "ssp:4");
  private static final int TRAINERS = 3;

  /// The result of a run.
  ///
  /// @param hash the hash of its trace
  /// @param violation what did not hold
  record Result(long hash, Optional<String> violation) {}

  /// Runs a seed. Returns what did not hold.
  static final class Check implements LongFunction<Optional<String>> {
    @Override
    public Optional<String> apply(long seed) {
      return of(seed).run().violation();
    }
  }

  static StoreRun of(long seed) {
    int kind = Math.floorMod(seed, 256);
    String consistency = CONSISTENCIES.get(kind % 4);
    String other = kind / 64 == 1 ? OTHERS.get(kind % 4) : "";
    boolean votes = kind / 4 % 2 == 1;
    return new StoreRun(
        seed,
        consistency,
        other,
        votes,
        kind / 8 % 2 == 0,
        kind / 16 % 2 == 0 ? 3 : 4,
        kind / 32 % 2 == 1);
  }

  Result run() {
    Invariants invariants = new Invariants(consistency, other);
    SimulatedStore store =
        new SimulatedStore(
            seed, new SlotMap.Settings(servers, servers - 2), votes, losesMessages, invariants);
    if (Boolean.getBoolean("trace")) {
      store.simulation.onTrace(System.out::println);
    }
    invariants.start(store.simulation);
    Work work = new Work(consistency, 5, TRAINERS + 1, TRAINERS, 30);
    List<SimulatedTrainer> trainers = new ArrayList<>();
    for (int i = 0; i < TRAINERS; i++) {
      int slowness = i == 0 ? 60 : 20;
      trainers.add(SimulatedTrainer.start(i, store, invariants, work, slowness));
    }
    trainers.forEach(invariants::paces);
    Disturbance.suffer(store);
    new Disturbance(store, votes && losesMessages, 5).start();
    SimulatedTrainer victim = trainers.getLast();
    Work reading = other.isEmpty() ? work : work.asynchronous();
    Random random = store.simulation.random();
    afterPushes(
        1, victim, store, () -> SimulatedTrainer.reader("reader", store, invariants, reading, 20));
    afterPushes(
        random.nextInt(1, 20),
        victim,
        store,
        () -> onceAllPush(trainers, store, () -> store.killTrainer(victim.name())));
    if (!other.isEmpty()) {
      changeConsistency(trainers, store);
    }
    if (growsLater) {
      afterPushes(
          random.nextInt(1, 20),
          trainers.getFirst(),
          store,
          () ->
              onceAllPush(
                  trainers,
                  store,
                  () ->
                      trainers.add(SimulatedTrainer.start(TRAINERS, store, invariants, work, 20))));
    }
    Optional<String> violation = run(store, invariants, trainers);
    return new Result(store.simulation.traceHash(), violation.map(text -> this + ": " + text));
  }

  private void changeConsistency(List<SimulatedTrainer> trainers, SimulatedStore store) {
    List<String> changes = List.of(other, consistency);
    for (int i = 0; i < changes.size(); i++) {
      String next = changes.get(i);
      SimulatedTrainer trainer = trainers.get(i);
      afterPushes(
          store.simulation.random().nextInt(1, 20),
          trainer,
          store,
          () -> onceAllPush(trainers, store, () -> trainer.change(next)));
    }
  }

  /// Runs an action soon after a trainer has begun some pushes.
  private static void afterPushes(
      int pushes, SimulatedTrainer trainer, SimulatedStore store, Runnable action) {
    store.simulation.after(
        Duration.ofMillis(store.simulation.random().nextInt(1, 50)),
        () -> {
          if (trainer.pushes() < pushes) {
            afterPushes(pushes, trainer, store, action);
          } else {
            action.run();
          }
        });
  }

  /// Runs an action once all trainers have joined: one that dies before keeps the others waiting
  /// until it is started again, and one that joins before replaces an expected one.
  private static void onceAllPush(
      List<SimulatedTrainer> trainers, SimulatedStore store, Runnable action) {
    if (trainers.stream().limit(TRAINERS).allMatch(trainer -> trainer.pushes() > 0)) {
      action.run();
    } else {
      store.simulation.after(Duration.ofMillis(20), () -> onceAllPush(trainers, store, action));
    }
  }

  private static Optional<String> run(
      SimulatedStore store, Invariants invariants, List<SimulatedTrainer> trainers) {
    boolean ended;
    try {
      ended =
          store.simulation.runUntil(
              () ->
                  invariants.violation() != null
                      || trainers.stream().allMatch(SimulatedTrainer::isDone),
              LIMIT);
    } catch (IllegalStateException e) {
      return Optional.of("error: " + e);
    }
    return Optional.ofNullable(invariants.violation())
        .or(() -> ended ? Optional.empty() : Optional.of("wait: not done after " + LIMIT));
  }
}
