// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// Allows remote layers and the states of layers to be sent.
public final class LayerTypes implements WireTypes {
  /// Called by the service loader.
  public LayerTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(RemoteLayer.class, StateDict.class);
  }
}
