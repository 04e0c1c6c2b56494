// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// The optimizers whose settings travel to the parameters' owners.
public final class OptimTypes implements WireTypes {
  /// Called by the service loader.
  public OptimTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(Sgd.class);
  }
}
