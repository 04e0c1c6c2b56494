// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.slot.Life;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// A change of a [Replica]. The primary of a slot decides on the changes and their order, and its
/// backups repeat them.
public sealed interface LogEntry {
  /// The trainers of a group, as a slot's primary sees them.
  ///
  /// @param clocks the [clocks][dev.tensorbus.optim.server.consistency.Clocks] of the present
  ///     trainers
  /// @param start the clock at which a trainer starts if none is present
  /// @param isComplete whether the expected number of trainers has joined
  record Trainers(SortedMap<Life, Long> clocks, long start, boolean isComplete) {
    static final Trainers NONE = new Trainers(new TreeMap<>(), 0, false);

    /// Copies the map.
    public Trainers {
      clocks = Collections.unmodifiableSortedMap(new TreeMap<>(clocks));
    }
  }

  /// What has changed of the [Trainers] since the entry before, so that an entry is small even if
  /// there are a thousand.
  ///
  /// @param clocks the new or changed clocks
  /// @param gone the trainers that have left
  /// @param start as that of the trainers, after the change
  /// @param isComplete as that of the trainers, after the change
  record TrainersChange(
      SortedMap<Life, Long> clocks, Set<Life> gone, long start, boolean isComplete) {
    /// Copies the collections.
    public TrainersChange {
      clocks = Collections.unmodifiableSortedMap(new TreeMap<>(clocks));
      gone = Collections.unmodifiableSortedSet(new TreeSet<>(gone));
    }
  }

  /// The first values.
  ///
  /// @param values the values by the names of their pieces
  record Defined(GroupSettings settings, SortedMap<String, Tensor> values) implements LogEntry {
    /// Copies the map.
    public Defined {
      values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }
  }

  /// Replaces the first values by those of an earlier run.
  ///
  /// @param change the trainers' clocks, which continue those of the earlier run
  record Restored(SlotState state, TrainersChange change) implements LogEntry {}

  /// Changes nothing. When it is committed, all earlier entries are, too.
  record NoOp() implements LogEntry {}

  /// Another consistency applies from now on.
  record ConsistencyChanged(AgreedConsistency consistency) implements LogEntry {}

  /// Trainers have joined or left.
  record TrainersChanged(TrainersChange change) implements LogEntry {}

  /// A step of the optimizer.
  ///
  /// @param pushes the numbers of the pushes that the step combines, by trainer
  /// @param optimizer the optimizer's settings for this step
  /// @param gradients the mean of the pushed gradients, in the order of the values; empty if all
  ///     pushes were dropped
  /// @param change what the step changes of the trainers
  record Step(
      Map<Life, Long> pushes,
      OptimizerSpec optimizer,
      List<Tensor> gradients,
      TrainersChange change)
      implements LogEntry {
    /// Copies the collections.
    public Step {
      pushes = Collections.unmodifiableMap(new TreeMap<>(pushes));
      gradients = List.copyOf(gradients);
    }
  }
}
