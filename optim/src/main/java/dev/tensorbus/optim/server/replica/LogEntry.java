// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Piece;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A change of a [Replica]. The primary of a slot decides on the changes and their order, and its
/// backups repeat them.
public sealed interface LogEntry {
  /// The trainers of a group, as a slot's primary sees them.
  ///
  /// @param clocks the [clocks][dev.tensorbus.optim.server.consistency.Clocks] of the present
  ///     trainers
  /// @param isComplete whether the expected number of trainers has joined
  record Trainers(SortedMap<Life, Long> clocks, boolean isComplete) {
    static final Trainers NONE = new Trainers(new TreeMap<>(), false);

    /// Copies the map.
    public Trainers {
      clocks = Collections.unmodifiableSortedMap(new TreeMap<>(clocks));
    }
  }

  /// The first values.
  ///
  /// @param values the values by the name of their [Piece]
  record Defined(GroupSettings settings, SortedMap<String, Tensor> values) implements LogEntry {
    /// Copies the map.
    public Defined {
      values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }
  }

  /// Changes nothing. When it is committed, all earlier entries are, too.
  record NoOp() implements LogEntry {}

  /// Trainers have joined or left.
  record TrainersChanged(Trainers trainers) implements LogEntry {}

  /// A step of the optimizer.
  ///
  /// @param pushes the numbers of the pushes that the step combines, by trainer
  /// @param optimizer the optimizer's settings for this step
  /// @param gradients the mean of the pushed gradients, in the order of the values; empty if all
  ///     pushes were dropped
  /// @param trainers the trainers after the step
  record Step(
      Map<Life, Long> pushes, OptimizerSpec optimizer, List<Tensor> gradients, Trainers trainers)
      implements LogEntry {
    /// Copies the collections.
    public Step {
      pushes = Collections.unmodifiableMap(new TreeMap<>(pushes));
      gradients = List.copyOf(gradients);
    }
  }
}
