// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.observe.profiler.EventKind;
import dev.tensorbus.rpc.observe.profiler.FunctionEvent;
import dev.tensorbus.rpc.observe.profiler.Profiler;
import dev.tensorbus.rpc.observe.profiler.ProfilerOptions;
import java.util.List;

/// A profiler of the worker that owns it, which others start and stop through a reference.
public final class ServerProfiler {
  private final Profiler profiler;

  @Remote
  public ServerProfiler() {
    Rpc rpc = Rpc.current();
    profiler = Profiler.start(rpc, ProfilerOptions.DEFAULT.withWorkers(rpc.self().name()));
  }

  /// Ends it, and gives the names of all operations.
  @Remote
  public List<String> stop() {
    return profiler.stop().events().stream()
        .filter(event -> event.kind() == EventKind.OPERATION)
        .map(FunctionEvent::ownName)
        .toList();
  }

  /// The same as a table.
  @Remote
  public String table() {
    return profiler.stop().table();
  }
}
