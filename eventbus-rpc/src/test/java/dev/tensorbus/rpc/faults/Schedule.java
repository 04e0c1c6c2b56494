// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.faults;

import static java.util.stream.Collectors.joining;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.FaultyNetwork;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// A random program of a few workers under random faults, and what must hold after it.
final class Schedule implements AutoCloseable {
  /// Short, so that a lost message costs little; a call that the machine delays beyond it fails
  /// as honestly as one whose message was lost.
  static final Duration TIMEOUT = Duration.ofMillis(100);

  /// For what needs no luck, only a machine that is not too busy.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final long seed;
  private final SplittableRandom random;
  private final List<Rpc> workers;
  private final FaultyNetwork network;
  private final Trace trace = new Trace();

  /// Takes some of the workers of a world, each of which lives alone on one of these hosts.
  Schedule(long seed, World world, List<Vertx> hosts) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    int size = random.nextInt(3, hosts.size() + 1);
    workers = IntStream.range(0, size).mapToObj(world::worker).toList();
    network = new FaultyNetwork(seed);
    workers.forEach(rpc -> network.attach(rpc.self().name(), hosts.get(rpc.self().id())));
  }

  @Override
  public void close() {
    network.close();
  }

  /// Runs the program, ends the faults and checks the guarantees.
  ///
  /// @throws AssertionError if one does not hold
  void run() {
    RandomFaults.of(random.split(), workers.size()).forEach(network::suffer);
    runActors();
    network.heal();
    requireHonestEnds();
    require("G5: no call waits for ever", () -> total("rpc.pending_calls") == 0);
    requireThatReferencesResolve();
    requireThatAllIsForgotten();
    requireAtMostOnce();
  }

  private void runActors() {
    List<Thread> threads = new ArrayList<>();
    for (Rpc rpc : workers) {
      Actor actor = new Actor(rpc, others(rpc), trace, random.split());
      threads.add(Thread.ofVirtual().name("actor-" + rpc.self()).start(actor));
    }
    for (Thread thread : threads) {
      if (!happens(() -> !thread.isAlive())) {
        throw failure(
            "G5: every call of " + thread.getName() + " ends, but it is " + where(thread));
      }
    }
  }

  private List<String> others(Rpc rpc) {
    return workers.stream()
        .filter(other -> !other.equals(rpc))
        .map(other -> other.self().name())
        .toList();
  }

  private static String where(Thread thread) {
    return Arrays.stream(thread.getStackTrace()).map(Object::toString).collect(joining(" < "));
  }

  private void requireHonestEnds() {
    for (Trace.Step step : trace.steps()) {
      if (!trace.isHonest(step)) {
        throw failure("an error that no fault explains: " + step);
      }
      if (step.time().compareTo(TIMEOUT.multipliedBy(2).plus(PATIENCE)) > 0) {
        throw failure("G5: ends long after its deadline: " + step);
      }
    }
  }

  private void requireThatReferencesResolve() {
    for (Rpc rpc : workers) {
      for (RRef<Tensor> reference : Shelf.of(rpc).all()) {
        require(
            "G1, G2: " + reference + " of " + rpc.self() + " resolves", () -> resolves(reference));
      }
    }
  }

  /// Whether a reference gives what it points at, or is known to have come to nothing.
  private boolean resolves(RRef<Tensor> reference) {
    try {
      trace.require(reference, reference.toHere(TIMEOUT));
      return true;
    } catch (RpcException e) {
      return trace.creation(reference).done().failed();
    }
  }

  private void requireThatAllIsForgotten() {
    if (!happens(this::isForgotten)) {
      System.gc(); // arguments of a call that was given up before its method began
      require("G3: nothing is held for anybody", this::isForgotten);
    }
  }

  /// Whether nobody holds anything once the shelves are empty, on which delayed calls may still
  /// put something.
  private boolean isForgotten() {
    workers.forEach(rpc -> Shelf.of(rpc).clear());
    return workers.stream()
        .flatMap(rpc -> rpc.debugInfo().values().stream())
        .allMatch(count -> count == 0);
  }

  private void requireAtMostOnce() {
    for (Trace.Step step : trace.steps()) {
      int runs = workers.stream().mapToInt(rpc -> Shelf.of(rpc).runs(step.number())).sum();
      if (runs > (step.saysNotRun() ? 0 : 1)) {
        throw failure("G4: ran " + runs + " times: " + step);
      }
    }
  }

  private long total(String name) {
    return workers.stream().mapToLong(rpc -> rpc.debugInfo().get(name)).sum();
  }

  private void require(String guarantee, BooleanSupplier condition) {
    if (!happens(condition)) {
      throw failure(guarantee);
    }
  }

  private static boolean happens(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    return true;
  }

  private AssertionError failure(String guarantee) {
    Map<String, Map<String, Long>> info = new TreeMap<>();
    workers.forEach(rpc -> info.put(rpc.self().name(), rpc.debugInfo()));
    return new AssertionError(
        "seed "
            + seed
            + " breaks \""
            + guarantee
            + "\"; replay it with -Dseed="
            + seed
            + "\nsteps:\n  "
            + trace.steps().stream().map(Object::toString).collect(joining("\n  "))
            + "\nfaults:\n  "
            + String.join("\n  ", network.history())
            + "\nleft: "
            + info);
  }
}
