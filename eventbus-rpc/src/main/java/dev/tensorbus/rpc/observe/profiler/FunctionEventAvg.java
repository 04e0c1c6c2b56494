// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The totals of all events with the same name and shapes. Like
/// `torch.autograd.profiler_util.FunctionEventAvg`.
///
/// @param name the full name of the events
/// @param shapes the shapes of the inputs if requested, else empty
/// @param calls the number of events
/// @param nanos the total duration of the events in nanoseconds
/// @param selfNanos the total duration of the events in nanoseconds without their synchronous
///     children
/// @param bytes the total size of the results in bytes if requested, else 0
public record FunctionEventAvg(
    String name, String shapes, long calls, long nanos, long selfNanos, long bytes) {
  private record Key(String name, String shapes) {}

  /// Groups events by name and shapes, ordered by self time, the largest first.
  static List<FunctionEventAvg> of(List<FunctionEvent> events) {
    Map<Key, FunctionEventAvg> sums = new LinkedHashMap<>();
    for (FunctionEvent event : events) {
      sums.merge(
          new Key(event.name(), event.shapes()),
          new FunctionEventAvg(
              event.name(), event.shapes(), 1, event.nanos(), event.selfNanos(), event.bytes()),
          FunctionEventAvg::plus);
    }
    List<FunctionEventAvg> sorted = new ArrayList<>(sums.values());
    sorted.sort(Comparator.comparingLong(FunctionEventAvg::selfNanos).reversed());
    return List.copyOf(sorted);
  }

  private FunctionEventAvg plus(FunctionEventAvg other) {
    return new FunctionEventAvg(
        name,
        shapes,
        calls + other.calls,
        nanos + other.nanos,
        selfNanos + other.selfNanos,
        bytes + other.bytes);
  }
}
