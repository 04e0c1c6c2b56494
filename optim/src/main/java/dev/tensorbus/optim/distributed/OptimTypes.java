// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.optim.Adadelta;
import dev.tensorbus.optim.Adagrad;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.AdamW;
import dev.tensorbus.optim.Adamax;
import dev.tensorbus.optim.NAdam;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.RAdam;
import dev.tensorbus.optim.Rmsprop;
import dev.tensorbus.optim.Rprop;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.SparseAdam;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// The types that a [DistributedOptimizer] sends to the parameters' owners.
public final class OptimTypes implements WireTypes {
  /// Called by the service loader.
  public OptimTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(
        Adadelta.class,
        Adagrad.class,
        Adam.class,
        AdamW.class,
        Adamax.class,
        NAdam.class,
        RAdam.class,
        Rmsprop.class,
        Rprop.class,
        Sgd.class,
        SparseAdam.class,
        GradientChange.class,
        OptimizerState.class,
        OptimizerState.Group.class,
        OptimizerState.Memory.class);
  }
}
