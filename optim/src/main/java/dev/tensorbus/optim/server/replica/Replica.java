// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.NonFiniteGradientException;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.server.replica.LogEntry.ConsistencyChanged;
import dev.tensorbus.optim.server.replica.LogEntry.Defined;
import dev.tensorbus.optim.server.replica.LogEntry.NoOp;
import dev.tensorbus.optim.server.replica.LogEntry.Restored;
import dev.tensorbus.optim.server.replica.LogEntry.Step;
import dev.tensorbus.optim.server.replica.LogEntry.Trainers;
import dev.tensorbus.optim.server.replica.LogEntry.TrainersChange;
import dev.tensorbus.optim.server.replica.LogEntry.TrainersChanged;
import dev.tensorbus.optim.server.slot.Life;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One server's copy of the parameters that one group has in one slot, with the optimizer's state
/// and the identities of the pushes that they contain. Replicas that have applied the same entries
/// are equal, bit for bit.
///
/// Not thread-safe. Tensors that it returns never change.
public final class Replica {
  private static final Logger LOG = System.getLogger(Replica.class.getName());

  private final GroupSettings settings;
  private final SortedMap<String, Tensor> parameters = new TreeMap<>();
  private final Optimizer optimizer;

  /// By trainer: the number of its last push that became part of a step; empty with shards.
  private final Map<Life, Long> pushes = new HashMap<>();

  /// The values before the last step, in a group with shards: a trainer that joins between the
  /// steps of two parts needs the same version of both.
  private SortedMap<String, Tensor> previous = new TreeMap<>();

  private final SortedMap<Life, Long> clocks = new TreeMap<>();
  private long start;
  private boolean isComplete;
  private AgreedConsistency consistency;
  private long length = 1;
  private long version = 1;

  /// A copy of a replica, from which another server can continue.
  ///
  /// @param length the number of entries that it contains
  /// @param version as returned by [#version]
  /// @param defined the settings, and the current values
  /// @param previous the values before the last step; empty if they are not kept
  /// @param optimizer the optimizer's state
  /// @param pushes the numbers of the last pushes by trainer
  /// @param consistency the current consistency, which may differ from that of the settings
  public record Snapshot(
      long length,
      long version,
      Defined defined,
      SortedMap<String, Tensor> previous,
      OptimizerState optimizer,
      Map<Life, Long> pushes,
      Trainers trainers,
      AgreedConsistency consistency) {}

  /// Creates a replica whose only entry defines the first values.
  Replica(Defined first) {
    settings = first.settings();
    consistency = new AgreedConsistency(0, settings.consistency());
    first.values().forEach((name, value) -> parameters.put(name, Tensor.parameterOf(value)));
    optimizer = settings.optimizer().over(parameters.values());
  }

  /// Creates a replica that continues another one.
  static Replica of(Snapshot snapshot) {
    Replica replica = new Replica(snapshot.defined());
    replica.optimizer.load(snapshot.optimizer());
    replica.pushes.putAll(snapshot.pushes());
    replica.previous = snapshot.previous();
    replica.clocks.putAll(snapshot.trainers().clocks());
    replica.start = snapshot.trainers().start();
    replica.isComplete = snapshot.trainers().isComplete();
    replica.consistency = snapshot.consistency();
    replica.length = snapshot.length();
    replica.version = snapshot.version();
    return replica;
  }

  Snapshot snapshot() {
    return new Snapshot(
        length,
        version,
        new Defined(settings, values()),
        previous,
        optimizer.state(),
        Map.copyOf(pushes),
        trainers(),
        consistency);
  }

  /// Applies the next entry.
  void apply(LogEntry entry) {
    length++;
    switch (entry) {
      case Defined _ -> throw new IllegalStateException("the first values are defined twice");
      case NoOp _ -> {}
      case ConsistencyChanged(AgreedConsistency changed) -> consistency = changed;
      case TrainersChanged(TrainersChange change) -> change(change);
      case Restored(SlotState state, TrainersChange change) -> {
        restore(state);
        change(change);
      }
      case Step step -> {
        version++;
        previous = settings.shards() > 0 ? values() : previous;
        if (settings.shards() == 0) {
          pushes.putAll(step.pushes());
        }
        change(step.change());
        if (!step.gradients().isEmpty()) {
          optimizer.groups().getFirst().set(step.optimizer());
          step(step.gradients());
        }
      }
    }
  }

  /// Takes a step, or skips it and says so if a sum of finite gradients has overflowed. All
  /// replicas do the same.
  private void step(List<Tensor> gradients) {
    try {
      optimizer.step(byParameter(gradients)::get);
    } catch (NonFiniteGradientException e) {
      LOG.log(
          Level.WARNING,
          "\"{0}\": a step is skipped, since the mean of its gradients is not finite: {1}; clip the"
              + " gradients, or use a lower learning rate",
          settings.name(),
          e.getMessage());
    }
  }

  private void restore(SlotState state) {
    version = state.version();
    previous = new TreeMap<>();
    state.values().forEach((name, value) -> get(name).replace(_ -> value));
    optimizer.load(state.optimizer());
  }

  private Tensor get(String piece) {
    return Objects.requireNonNull(parameters.get(piece), piece);
  }

  /// Changes the trainers. Forgets the pushes of those that are gone: none of their lives can
  /// return.
  private void change(TrainersChange change) {
    clocks.putAll(change.clocks());
    clocks.keySet().removeAll(change.gone());
    pushes.keySet().removeAll(change.gone());
    start = change.start();
    isComplete = change.isComplete();
  }

  private Map<Tensor, Tensor> byParameter(List<Tensor> gradients) {
    Map<Tensor, Tensor> byParameter = new HashMap<>();
    int place = 0;
    for (Tensor parameter : parameters.values()) {
      byParameter.put(parameter, gradients.get(place++));
    }
    return byParameter;
  }

  GroupSettings settings() {
    return settings;
  }

  /// Returns the number of entries, the definition included.
  long length() {
    return length;
  }

  /// Returns the version of the values: one more than the number of steps.
  long version() {
    return version;
  }

  Trainers trainers() {
    return new Trainers(clocks, start, isComplete);
  }

  /// Returns the current consistency, which may differ from that of the settings.
  AgreedConsistency consistency() {
    return consistency;
  }

  /// Returns whether a push has become part of a step. The pushes of shards have the numbers of
  /// their steps.
  boolean contains(Life contributor, long push) {
    if (settings.shards() > 0) {
      return push < version;
    }
    @Nullable Long last = pushes.get(contributor);
    return last != null && last >= push;
  }

  /// Returns the current values by the names of their pieces.
  SortedMap<String, Tensor> values() {
    SortedMap<String, Tensor> values = new TreeMap<>();
    parameters.forEach((name, parameter) -> values.put(name, parameter.detach()));
    return Collections.unmodifiableSortedMap(values);
  }

  /// Returns the values before the last step; empty if they are not kept.
  SortedMap<String, Tensor> previous() {
    return previous;
  }

  /// Returns the current values and the optimizer's state.
  SlotState state() {
    return new SlotState(version, values(), optimizer.state());
  }

  /// Checks that a state can be [restored][Restored].
  ///
  /// @throws IllegalArgumentException if its values or its optimizer differ
  void requireRestorable(SlotState state) {
    List<String> given = kinds(state.values());
    List<String> expected = kinds(values());
    if (!given.equals(expected)) {
      throw new IllegalArgumentException(
          "restore \"%s\": the checkpoint has %s, expected %s; use one of the same model"
              .formatted(settings.name(), given, expected));
    }
    optimizer.requireFit(state.optimizer());
  }

  private static List<String> kinds(SortedMap<String, Tensor> values) {
    return values.entrySet().stream()
        .map(value -> value.getKey() + " " + OptimizerState.kind(value.getValue()))
        .toList();
  }

  /// Checks that gradients fit the values.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if they do not
  void requireFit(List<Tensor> gradients) {
    optimizer.requireFit(gradients);
  }
}
