// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One application of an operation in a [Trace].
///
/// @param recorded for each input, whether its gradient is recorded
/// @param line the user's line that called the operation, such as `Net.java:12`, if there is one
public record Step(
    Traceable operation,
    List<Value> inputs,
    List<Boolean> recorded,
    List<Value> results,
    @Nullable String line) {
  /// Names the operation and the line, for error messages.
  public String origin() {
    return line == null ? operation.name() : operation.name() + " at " + line;
  }

  /// Returns whether the gradient of any input is recorded.
  public boolean isRecorded() {
    return recorded.contains(true);
  }
}
