// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.util.List;
import java.util.OptionalInt;

/// The end of a world.
///
/// @param ends one for each process, restarted ones after the others
/// @param happened the disturbances that met somebody, in their order
/// @param leftOver files and processes that should not be there
record Outcome(Plan plan, List<End> ends, List<Happened> happened, List<String> leftOver) {
  /// The end of a process.
  ///
  /// @param code its exit code; empty if it did not end within its bound
  /// @param lines all that it printed
  record End(
      int rank, boolean isRestarted, boolean isKilled, OptionalInt code, List<String> lines) {
    @Override
    public String toString() {
      return "rank " + rank + (isRestarted ? ", restarted" : "");
    }
  }

  /// A disturbance and how far the world was.
  ///
  /// @param isComplete whether all its workers had met
  /// @param isFinished whether it had already done its work
  /// @param afterMillis when it happened, after the start of the world
  record Happened(Disturbance what, boolean isComplete, boolean isFinished, long afterMillis) {}

  Outcome {
    ends = List.copyOf(ends);
    happened = List.copyOf(happened);
    leftOver = List.copyOf(leftOver);
  }
}
