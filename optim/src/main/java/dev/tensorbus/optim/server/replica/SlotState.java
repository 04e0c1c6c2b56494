// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The values that a group has in one slot, and the state of their optimizer, from which another
/// run can continue.
///
/// @param version as returned by [Replica#version]
/// @param values the values by the names of their pieces
/// @param optimizer the optimizer's state, in the order of the values
public record SlotState(long version, SortedMap<String, Tensor> values, OptimizerState optimizer) {
  /// Copies the map.
  public SlotState {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }
}
