// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// The types that trainers with copies of a model exchange to resume from the same checkpoint.
public final class CheckpointTypes implements WireTypes {
  /// Called by the service loader.
  public CheckpointTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(Contents.class);
  }
}
