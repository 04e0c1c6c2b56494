// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.util.List;
import java.util.OptionalInt;

/// How a world ended.
///
/// @param ends how each process ended; restarted processes come last
/// @param happened the disturbances that had a target, in order
/// @param leftOver files and processes that should no longer exist
record Outcome(Plan plan, List<End> ends, List<Happened> happened, List<String> leftOver) {
  /// How a process ended.
  ///
  /// @param code its exit code; empty if it did not end in time
  /// @param lines its output
  record End(
      int rank, boolean isRestarted, boolean isKilled, OptionalInt code, List<String> lines) {
    @Override
    public String toString() {
      return "rank " + rank + (isRestarted ? ", restarted" : "");
    }
  }

  /// A disturbance and the progress of the world at that time.
  ///
  /// @param isComplete whether all workers had joined
  /// @param isFinished whether the work was already done
  /// @param afterMillis the time since the start of the world
  record Happened(Disturbance what, boolean isComplete, boolean isFinished, long afterMillis) {}

  Outcome {
    ends = List.copyOf(ends);
    happened = List.copyOf(happened);
    leftOver = List.copyOf(leftOver);
  }
}
