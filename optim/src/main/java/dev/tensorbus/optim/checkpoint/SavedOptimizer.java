// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The operations of an optimizer, local or distributed, that a checkpoint needs.
///
/// @param specs the groups' current settings
record SavedOptimizer(
    Supplier<List<OptimizerSpec>> specs,
    Supplier<OptimizerState> state,
    Consumer<OptimizerState> requireFit,
    Consumer<OptimizerState> load) {

  static SavedOptimizer here(Optimizer optimizer) {
    return new SavedOptimizer(
        () -> specs(optimizer.groups()), optimizer::state, optimizer::requireFit, optimizer::load);
  }

  static SavedOptimizer there(DistributedOptimizer optimizer) {
    return new SavedOptimizer(
        () -> specs(optimizer.groups()), optimizer::state, optimizer::requireFit, optimizer::load);
  }

  private static List<OptimizerSpec> specs(List<? extends ParameterGroup<?>> groups) {
    return groups.stream().<OptimizerSpec>map(ParameterGroup::spec).toList();
  }
}
