// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import java.util.List;

/// Options of a [Profiler]. After the arguments of `torch.autograd.profiler.profile`.
///
/// @param recordShapes whether events tell the shapes of operations' inputs, by which the table is
///     grouped then
/// @param profileMemory whether events tell the bytes of operations' results
/// @param workers the names of the workers to profile; none for all that are known at the start
public record ProfilerOptions(boolean recordShapes, boolean profileMemory, List<String> workers) {
  /// All workers, without shapes and memory.
  public static final ProfilerOptions DEFAULT = new ProfilerOptions(false, false, List.of());

  /// Keeps a copy.
  public ProfilerOptions {
    workers = List.copyOf(workers);
  }

  /// The same with the shapes of operations' inputs.
  public ProfilerOptions withShapes() {
    return new ProfilerOptions(true, profileMemory, workers);
  }

  /// The same with the bytes of operations' results.
  public ProfilerOptions withMemory() {
    return new ProfilerOptions(recordShapes, true, workers);
  }

  /// The same for these workers only.
  public ProfilerOptions withWorkers(String... names) {
    return new ProfilerOptions(recordShapes, profileMemory, List.of(names));
  }
}
