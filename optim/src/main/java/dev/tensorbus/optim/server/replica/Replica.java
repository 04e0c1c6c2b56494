// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.server.replica.LogEntry.Defined;
import dev.tensorbus.optim.server.replica.LogEntry.NoOp;
import dev.tensorbus.optim.server.replica.LogEntry.Step;
import dev.tensorbus.optim.server.replica.LogEntry.Trainers;
import dev.tensorbus.optim.server.replica.LogEntry.TrainersChanged;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Piece;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One server's copy of the parameters that one group has in one slot, with the optimizer's state
/// and the identities of the pushes that they contain. Replicas that have applied the same entries
/// are equal, bit for bit.
///
/// Not thread-safe. Tensors that it returns never change.
public final class Replica {
  private final GroupSettings settings;
  private final SortedMap<String, Tensor> parameters = new TreeMap<>();
  private final Optimizer optimizer;

  /// By trainer: the number of its last push that became part of a step.
  private final Map<Life, Long> pushes = new HashMap<>();

  private Trainers trainers = Trainers.NONE;
  private long length = 1;
  private long version = 1;

  /// A copy of a replica, from which another server can continue.
  ///
  /// @param length the number of entries that it contains
  /// @param version as returned by [#version]
  /// @param defined the settings, and the current values
  /// @param optimizer the optimizer's state
  /// @param pushes the numbers of the last pushes by trainer
  public record Snapshot(
      long length,
      long version,
      Defined defined,
      OptimizerState optimizer,
      Map<Life, Long> pushes,
      Trainers trainers) {}

  /// Creates a replica whose only entry defines the first values.
  Replica(Defined first) {
    settings = first.settings();
    first.values().forEach((name, value) -> parameters.put(name, Tensor.parameterOf(value)));
    optimizer = settings.optimizer().over(parameters.values());
  }

  /// Creates a replica that continues another one.
  static Replica of(Snapshot snapshot) {
    Replica replica = new Replica(snapshot.defined());
    replica.optimizer.load(snapshot.optimizer());
    replica.pushes.putAll(snapshot.pushes());
    replica.trainers = snapshot.trainers();
    replica.length = snapshot.length();
    replica.version = snapshot.version();
    return replica;
  }

  Snapshot snapshot() {
    return new Snapshot(
        length,
        version,
        new Defined(settings, values()),
        optimizer.state(),
        Map.copyOf(pushes),
        trainers);
  }

  /// Applies the next entry.
  void apply(LogEntry entry) {
    length++;
    switch (entry) {
      case Defined _ -> throw new IllegalStateException("the first values are defined twice");
      case NoOp _ -> {}
      case TrainersChanged(Trainers changed) -> setTrainers(changed);
      case Step step -> {
        version++;
        pushes.putAll(step.pushes());
        setTrainers(step.trainers());
        if (!step.gradients().isEmpty()) {
          optimizer.groups().getFirst().set(step.optimizer());
          optimizer.step(byParameter(step.gradients())::get);
        }
      }
    }
  }

  /// Forgets the pushes of trainers that are gone: none of their lives can return.
  private void setTrainers(Trainers changed) {
    trainers = changed;
    pushes.keySet().retainAll(changed.clocks().keySet());
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
    return trainers;
  }

  /// Returns whether a push has become part of a step.
  boolean contains(Life trainer, long push) {
    @Nullable Long last = pushes.get(trainer);
    return last != null && last >= push;
  }

  /// Returns the current values by the name of their [Piece].
  SortedMap<String, Tensor> values() {
    SortedMap<String, Tensor> values = new TreeMap<>();
    parameters.forEach((name, parameter) -> values.put(name, parameter.detach()));
    return Collections.unmodifiableSortedMap(values);
  }

  /// Checks that gradients fit the values.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if they do not
  void requireFit(List<Tensor> gradients) {
    optimizer.requireFit(gradients);
  }
}
