// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// The types that trainers and a [ModelServer] exchange.
public final class ServerTypes implements WireTypes {
  /// Called by the service loader.
  public ServerTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(Push.class, PulledParameters.class);
  }
}
