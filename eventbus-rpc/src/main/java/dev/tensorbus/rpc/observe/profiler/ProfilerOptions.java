// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import java.util.List;

/// Options of a [Profiler], like the arguments of `torch.autograd.profiler.profile`.
///
/// @param recordShapes whether events include the shapes of the inputs of operations; if so, the
///     table is also grouped by shapes
/// @param profileMemory whether events include the sizes of the results of operations
/// @param workers the names of the workers to profile; empty for all workers known at the start
public record ProfilerOptions(boolean recordShapes, boolean profileMemory, List<String> workers) {
  /// The default options: all workers, without shapes and memory.
  public static final ProfilerOptions DEFAULT = new ProfilerOptions(false, false, List.of());

  /// Copies the list.
  public ProfilerOptions {
    workers = List.copyOf(workers);
  }

  /// Returns a copy that records the shapes of the inputs of operations.
  public ProfilerOptions withShapes() {
    return new ProfilerOptions(true, profileMemory, workers);
  }

  /// Returns a copy that records the sizes of the results of operations.
  public ProfilerOptions withMemory() {
    return new ProfilerOptions(recordShapes, true, workers);
  }

  /// Returns a copy that profiles only these workers.
  public ProfilerOptions withWorkers(String... names) {
    return new ProfilerOptions(recordShapes, profileMemory, List.of(names));
  }
}
