// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.WireTypes;
import java.util.List;

/// Allows recorded events to be sent.
public final class ProfilerTypes implements WireTypes {
  /// The class whose methods a profiler calls on other workers.
  public static final Class<?> HANDLER = Recordings.class;

  /// Called by the service loader.
  public ProfilerTypes() {}

  @Override
  public List<Class<?>> types() {
    return List.of(EventKind.class, LocalEvent.class, EventPage.class);
  }
}
