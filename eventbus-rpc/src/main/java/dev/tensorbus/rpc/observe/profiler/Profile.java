// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.WorkerInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The result of a [Profiler].
///
/// @param events in the order of their begin
/// @param flows what led to what on another thread or worker
/// @param workers those that recorded, one that had no event too
/// @param missing the workers that sent nothing, since they have left or did not answer
/// @param leftOut how many events are not here: a process sends its first 200,000
/// @param options of the profiler
public record Profile(
    List<FunctionEvent> events,
    List<Flow> flows,
    List<WorkerInfo> workers,
    List<String> missing,
    long leftOut,
    ProfilerOptions options) {
  /// Keeps copies.
  public Profile {
    events = List.copyOf(events);
    flows = List.copyOf(flows);
    workers = List.copyOf(workers);
    missing = List.copyOf(missing);
  }

  /// One event that led to another: a call to its method, or gradients that went from one worker
  /// to the next.
  public record Flow(FunctionEvent from, FunctionEvent to) {}

  /// The events of each name together, the one with the most time of its own first. After
  /// `key_averages`.
  public List<FunctionEventAvg> keyAverages() {
    return FunctionEventAvg.of(events);
  }

  /// The same as text for people, at most 100 rows.
  public String table() {
    return EventTable.of(this, 100);
  }

  /// Writes a Chrome trace of all workers, which Perfetto and `chrome://tracing` open. After
  /// `export_chrome_trace`.
  public void exportChromeTrace(Path file) throws IOException {
    new ChromeTrace(this).write(file);
  }
}
