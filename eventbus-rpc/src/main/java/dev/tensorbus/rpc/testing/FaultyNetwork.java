// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// Loses, delays, duplicates and reorders the messages between workers according to [Fault]s and a
/// random seed. With a given seed, the fate of the n-th message of a kind from one worker to
/// another is always the same. Which message is the n-th depends on the timing of threads.
///
/// ```java
/// FaultyNetwork network = new FaultyNetwork(seed);
/// network.attach("worker0", vertx0);
/// network.attach("worker1", vertx1);
/// network.suffer(Fault.drop(0.1), Fault.delay(0.2, Duration.ofMillis(30)).to("worker1"));
/// …
/// network.heal();
/// ```
///
/// Each worker needs its own Vertx, as with [MemoryCluster]. If the workers run in several
/// processes, create a network with the same seed in each. A sender cannot distinguish a lost
/// message from one that arrives. A message from a worker to itself always arrives. Thread-safe.
public final class FaultyNetwork implements AutoCloseable {
  private final long seed;
  private final List<Tap> taps = new CopyOnWriteArrayList<>();
  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final Map<TrafficTotals, AtomicLong> counts = new ConcurrentHashMap<>();
  private final Queue<String> history = new ConcurrentLinkedQueue<>();

  /// Creates a network without faults.
  public FaultyNetwork(long seed) {
    this.seed = seed;
  }

  /// Routes the messages that a worker sends through this network.
  ///
  /// @param vertx the worker's Vertx, which must have no other worker
  public void attach(String worker, Vertx vertx) {
    Tap tap = new Tap(this, worker, vertx);
    taps.add(tap);
    tap.open();
  }

  /// Adds faults to the existing ones. They apply from now on.
  public void suffer(Fault... more) {
    faults.addAll(List.of(more));
  }

  /// Removes all faults. Messages that were held back still arrive.
  public void heal() {
    faults.clear();
  }

  /// Returns the faults that have occurred so far, for the message of a failing test.
  public List<String> history() {
    return List.copyOf(history);
  }

  /// Removes all faults and detaches the workers.
  @Override
  public void close() {
    heal();
    taps.forEach(Tap::close);
    taps.clear();
  }

  boolean isFaulty() {
    return !faults.isEmpty();
  }

  /// Decides the fate of the next message of a kind. Each fault always draws two random numbers, so
  /// that later faults do not depend on its outcome.
  Fate fate(TrafficTotals traffic) {
    long n = counts.computeIfAbsent(traffic, key -> new AtomicLong()).incrementAndGet();
    SplittableRandom dice = new SplittableRandom(31 * (31 * seed + traffic.hashCode()) + n);
    Fate fate = new Fate();
    for (Fault fault : faults) {
      boolean strikes = dice.nextDouble() < fault.probability();
      long millis = dice.nextLong(fault.atMost().toMillis() + 1);
      if (strikes && fault.concerns().test(traffic)) {
        fate.suffer(fault, millis);
        history.add(fault.effect() + " " + traffic + " #" + n);
      }
    }
    return fate;
  }
}
