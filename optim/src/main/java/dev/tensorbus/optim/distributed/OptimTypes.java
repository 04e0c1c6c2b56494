// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.AdamW;
import dev.tensorbus.optim.GradientChange;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// What a [DistributedOptimizer] sends to the parameters' owners.
public final class OptimTypes implements WireTypes {
  /// Called by the service loader.
  public OptimTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(Sgd.class, Adam.class, AdamW.class, GradientChange.class);
  }
}
