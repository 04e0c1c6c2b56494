// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Runs a distributed protocol on one thread in virtual time. Its nodes exchange messages that take
/// random times, suffer [Fault]s, die, restart and freeze, and their clocks drift. All randomness
/// comes from one seed, so a run can be repeated exactly: equal seeds give equal
/// [hashes][#traceHash].
///
/// ```java
/// var simulation = new Simulation(seed);
/// for (String name : List.of("a", "b", "c")) {
///   SimulatedNode node = simulation.start(name);
///   Election election = new Election(node::send, node.clock(), node.random());
///   node.onMessage(election::receive);
/// }
/// simulation.suffer(Fault.drop(0.01), Fault.cut("a", "b"));
/// simulation.run(Duration.ofSeconds(10));
/// simulation.heal();
/// assertTrue(simulation.runUntil(() -> leader() != null, Duration.ofSeconds(1)));
/// ```
///
/// The protocol must take its time, its alarms and its random numbers from its [SimulatedNode], use
/// no other threads, and not depend on identity hash codes, for example in the order of a set.
///
/// An exception that a node's code throws ends [#run] with an [IllegalStateException] that names
/// the seed and the time. Not thread-safe.
public final class Simulation {
  private final ManualClock time = new ManualClock();
  private final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> starts = new LinkedHashMap<>();
  private final List<Fault> faults = new ArrayList<>();
  private final long seed;
  private final Random random;

  private Duration minLatency = Duration.ofNanos(100_000);
  private Duration maxLatency = Duration.ofMillis(1);
  private double maxDrift;
  private Consumer<String> listener = line -> {};
  private boolean hasListener;
  private long hash;

  /// Creates a simulation without nodes, faults and drift. Messages take 0.1 to 1 ms.
  public Simulation(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /// Sets how long a message takes: a random time between two limits. Messages from one node to
  /// another arrive in the order in which they were sent, as on a connection, unless a fault
  /// affects them.
  public void setLatency(Duration min, Duration max) {
    if (min.isNegative() || max.compareTo(min) < 0) {
      throw new IllegalArgumentException(
          "latency from " + min + " to " + max + "; expected 0 <= minimum <= maximum");
    }
    minLatency = min;
    maxLatency = max;
  }

  /// Sets by how much the clocks of the nodes that start from now on run too fast or too slow, at
  /// most: 0.01 is 1 %.
  public void setDrift(double newMaxDrift) {
    if (!(newMaxDrift >= 0 && newMaxDrift < 1)) {
      throw new IllegalArgumentException(
          "drift " + newMaxDrift + " must be at least 0 and below 1");
    }
    maxDrift = newMaxDrift;
  }

  /// Sets a listener that receives the trace line by line, for example to print a failing seed's.
  public void onTrace(Consumer<String> newListener) {
    listener = newListener;
    hasListener = true;
  }

  /// Starts a node. If a node of this name was killed before, this is its next incarnation, which
  /// receives no message that was sent to an earlier one.
  ///
  /// @throws IllegalStateException if a node of this name is alive
  public SimulatedNode start(String name) {
    if (nodes.containsKey(name)) {
      throw new IllegalStateException("node \"" + name + "\" is alive; kill it first");
    }
    double rate = 1 + maxDrift * (2 * random.nextDouble() - 1);
    SimulatedNode node =
        new SimulatedNode(this, time, name, starts.merge(name, 1, Integer::sum), rate);
    nodes.put(name, node);
    trace("start", name, node.incarnation());
    return node;
  }

  /// Kills a node: none of its code runs any more, and messages to it are lost. Messages that it
  /// has sent still arrive.
  public void kill(String name) {
    node(name).die();
    nodes.remove(name);
    trace("kill", name, "");
  }

  /// Stops a node until [#thaw], as SIGSTOP or a long garbage collection does. Its alarms and
  /// messages wait.
  public void freeze(String name) {
    node(name).freeze();
    trace("freeze", name, "");
  }

  /// Resumes a node after [#freeze]. It runs all alarms and messages that were due meanwhile.
  public void thaw(String name) {
    trace("thaw", name, "");
    node(name).thaw();
  }

  /// Returns the live node of this name.
  ///
  /// @throws IllegalArgumentException if there is none
  public SimulatedNode node(String name) {
    SimulatedNode node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException(
          "no live node \"" + name + "\"; there are " + String.join(", ", nodes.keySet()));
    }
    return node;
  }

  /// Returns the names of the live nodes, in the order in which they were started.
  public List<String> nodes() {
    return List.copyOf(nodes.keySet());
  }

  /// Adds faults to the existing ones. They apply to messages sent from now on. A fault knows the
  /// simple name of a message's class as its kind.
  public void suffer(Fault... more) {
    faults.addAll(List.of(more));
  }

  /// Removes all faults. Messages that were delayed still arrive.
  public void heal() {
    faults.clear();
  }

  /// Returns the source of all random numbers, for the decisions of a test.
  public Random random() {
    return random;
  }

  /// Returns the time since the start.
  public Duration time() {
    return Duration.ofNanos(time.nanoTime());
  }

  /// Runs a task of the test after a delay, whatever happens to the nodes.
  public void after(Duration delay, Runnable task) {
    time.after(delay.toNanos(), task);
  }

  /// Runs for a time.
  public void run(Duration duration) {
    runUntil(() -> false, duration);
  }

  /// Runs until a condition is true, or a time is over. Returns whether the condition is true. It
  /// is checked after each event.
  public boolean runUntil(BooleanSupplier condition, Duration limit) {
    long end = time.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (!runNext(end)) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  private boolean runNext(long end) {
    try {
      return time.advanceToNext(end);
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "the simulation of seed " + seed + " failed after " + time() + ": " + e.getCause(), e);
    }
  }

  /// Adds a line to the trace, such as a decision of the protocol, so that runs that decide
  /// differently have different hashes.
  public void trace(Object event) {
    trace("", "", event);
  }

  /// Returns a hash of the trace: of each message that arrived or was lost, its content (see
  /// [SimulatedNode#send]) and time, each start and death, and each [#trace] of the test.
  public long traceHash() {
    return hash;
  }

  void trace(String event, String node, Object detail) {
    String text = detail.toString();
    mix(time.nanoTime());
    mix(event.hashCode());
    mix(node.hashCode());
    mix(text.hashCode());
    if (hasListener) {
      String line = String.join(" ", event, node, text).strip();
      listener.accept("%.6f %s".formatted(time.nanoTime() / 1e9, line));
    }
  }

  private void mix(long value) {
    hash = (hash ^ value) * 0x100000001b3L;
    hash ^= hash >>> 32;
  }

  /// Delivers a message, unless a fault loses it.
  void send(SimulatedNode from, String to, Object message) {
    SimulatedNode receiver = nodes.get(to);
    if (receiver == null) {
      trace("lost", from.name() + " > " + to, text(message));
    } else if (receiver == from) {
      receiver.deliver(0, from, message);
    } else {
      long arrival = from.arrival(receiver, latency());
      List<Long> delays = delays(from, to, message);
      if (delays.isEmpty()) {
        trace("lost", from.name() + " > " + to, text(message));
      }
      for (long delay : delays) {
        receiver.deliver(arrival - time.nanoTime() + delay, from, message);
      }
    }
  }

  private long latency() {
    return random.nextLong(minLatency.toNanos(), maxLatency.toNanos() + 1);
  }

  /// Returns by how many nanoseconds faults delay each copy of a message. Each fault always draws
  /// two random numbers, as on a [FaultyNetwork].
  private List<Long> delays(SimulatedNode from, String to, Object message) {
    if (faults.isEmpty()) {
      return List.of(0L);
    }
    TrafficTotals traffic =
        new TrafficTotals(from.name(), to, message.getClass().getSimpleName(), "");
    Fate fate = new Fate();
    for (Fault fault : faults) {
      boolean strikes = random.nextDouble() < fault.probability();
      long millis = random.nextLong(fault.atMost().toMillis() + 1);
      if (strikes && fault.concerns().test(traffic)) {
        fate.suffer(fault, millis);
      }
    }
    return fate.departures().stream()
        .map(millis -> Duration.ofMillis(millis + fate.held()).toNanos())
        .toList();
  }

  static Object text(Object message) {
    return message instanceof byte[] bytes ? Arrays.hashCode(bytes) : message;
  }
}
