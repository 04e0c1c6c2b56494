// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.testing.SimulatedNode;
import dev.tensorbus.rpc.testing.Simulation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// Voters in a [Simulation], which agree on a list of numbers. After each event it is checked that
/// they agree.
final class SimulatedVoters {
  static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(3);

  /// The lease on the slowest clock.
  static final Duration LONGEST_LEASE = Duration.ofMillis(403);

  final long seed;
  final Simulation simulation;
  final List<String> names;
  final Map<String, RaftViews<List<Integer>, Integer>> voters = new LinkedHashMap<>();
  final List<String> warnings = new ArrayList<>();

  /// The longest list that any voter has reached, and when that was.
  final List<Integer> agreed = new ArrayList<>();

  private final List<Duration> agreedAt = new ArrayList<>();
  private final Map<Integer, Object> leaders = new HashMap<>();
  /// By proposer, while it lives.
  private final Map<String, List<Future<?>>> proposals = new HashMap<>();

  final List<Integer> acknowledged = new ArrayList<>();
  private int proposed;

  SimulatedVoters(long seed, List<String> names) {
    this.seed = seed;
    simulation = new Simulation(seed);
    this.names = names;
    simulation.setDrift(0.005);
  }

  void start(String name) {
    SimulatedNode node = simulation.start(name);
    var views =
        new RaftViews<List<Integer>, Integer>(
            names,
            name,
            List.of(),
            SimulatedVoters::append,
            HEARTBEAT_TIMEOUT,
            new SimulatedHost(node, line -> warnings.add(name + ": " + line)));
    node.onMessage((from, message) -> views.receive(from, (VoterMessage) message));
    views.onChange(this::check);
    voters.put(name, views);
    views.start();
  }

  static List<Integer> append(List<Integer> list, int number) {
    List<Integer> longer = new ArrayList<>(list);
    longer.add(number);
    return List.copyOf(longer);
  }

  /// Kills a voter without a notification of the others.
  void killSilently(String name) {
    simulation.kill(name);
    voters.remove(name);
    proposals.remove(name);
  }

  void freeze(String name, Duration time) {
    SimulatedNode node = simulation.node(name);
    simulation.freeze(name);
    simulation.after(
        time,
        () -> {
          if (node.isAlive()) {
            simulation.thaw(name);
          }
        });
  }

  void kill(String name) {
    killSilently(name);
    voters.values().forEach(voter -> voter.lost(name)); // as the membership of the world does
  }

  /// Kills a voter, of which only one other hears.
  void kill(String name, String listener) {
    killSilently(name);
    voters.get(listener).lost(name);
  }

  Future<List<Integer>> propose(String name) {
    int number = proposed++;
    Future<List<Integer>> future = voters.get(name).propose(number);
    proposals.computeIfAbsent(name, key -> new ArrayList<>()).add(future);
    future.onSuccess(
        state -> {
          assertThat(state).contains(number);
          acknowledged.add(number);
        });
    return future;
  }

  private void check(List<Integer> state) {
    int common = Math.min(state.size(), agreed.size());
    require(state.subList(0, common).equals(agreed.subList(0, common)), "order");
    for (int number : state.subList(common, state.size())) {
      require(!agreed.contains(number), "once");
      agreed.add(number);
      agreedAt.add(simulation.time());
    }
  }

  /// Like an assertion, but cheap.
  private void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError("%s after %s: %s".formatted(what, simulation.time(), agreed));
    }
  }

  /// Checks what must be true at any time.
  void check() {
    for (var voter : voters.values()) {
      int term = voter.ledTerm();
      if (term > 0) {
        Object other = leaders.putIfAbsent(term, voter);
        require(other == null || other == voter, "two leaders of term " + term);
      }
      int known = voter.current().size();
      if (known < agreed.size() && voter.isLive()) {
        Duration late = simulation.time().minus(agreedAt.get(known));
        require(late.compareTo(LONGEST_LEASE) < 0, "stale for " + late);
      }
    }
  }

  boolean haveEnded() {
    return proposals.values().stream().flatMap(List::stream).allMatch(Future::isComplete);
  }

  boolean areEqual() {
    return voters.values().stream().allMatch(voter -> voter.current().equals(agreed));
  }

  boolean run(Duration limit, BooleanSupplier end) {
    return simulation.runUntil(
        () -> {
          check();
          return end.getAsBoolean();
        },
        limit);
  }

  void run(Duration time) {
    run(time, () -> false);
  }

  /// Returns whether all voters take part.
  boolean areComplete() {
    return voters.size() == names.size()
        && voters.values().stream().allMatch(voter -> voter.isLive() && voter.isSettled())
        && voters.values().stream().map(RaftViews::members).distinct().count() == 1;
  }

  String leader() {
    return voters.keySet().stream()
        .filter(name -> voters.get(name).ledTerm() > 0)
        .reduce((a, b) -> voters.get(a).ledTerm() > voters.get(b).ledTerm() ? a : b)
        .orElseGet(this::any);
  }

  String any() {
    List<String> alive = List.copyOf(voters.keySet());
    return alive.get(simulation.random().nextInt(alive.size()));
  }
}
