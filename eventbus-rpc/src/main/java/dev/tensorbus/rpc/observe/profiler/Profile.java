// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.WorkerInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The result of a [Profiler].
///
/// @param events the events, ordered by start
/// @param flows the causal links between events on different threads or workers
/// @param workers the workers that recorded, including workers without events
/// @param missing the names of the workers that sent nothing because they left or did not answer
/// @param leftOut the number of events dropped: each process sends only its first 200,000
/// @param options the options of the profiler
public record Profile(
    List<FunctionEvent> events,
    List<Flow> flows,
    List<WorkerInfo> workers,
    List<String> missing,
    long leftOut,
    ProfilerOptions options) {
  /// Copies the lists.
  public Profile {
    events = List.copyOf(events);
    flows = List.copyOf(flows);
    workers = List.copyOf(workers);
    missing = List.copyOf(missing);
  }

  /// An event that caused another event: a call causes its method, and sending gradients causes
  /// their arrival.
  public record Flow(FunctionEvent from, FunctionEvent to) {}

  /// Returns the events grouped by name, ordered by self time, the largest first. Like
  /// `key_averages`.
  public List<FunctionEventAvg> keyAverages() {
    return FunctionEventAvg.of(events);
  }

  /// Returns [#keyAverages] as a text table of at most 100 rows.
  public String table() {
    return EventTable.of(this, 100);
  }

  /// Writes a Chrome trace of all workers, for Perfetto and `chrome://tracing`. Like
  /// `export_chrome_trace`.
  public void exportChromeTrace(Path file) throws IOException {
    new ChromeTrace(this).write(file);
  }
}
