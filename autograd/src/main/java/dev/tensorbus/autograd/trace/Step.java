// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import java.util.List;

/// One application of an operation in a [Trace].
///
/// @param recorded for each input, whether its gradient is recorded
public record Step(
    Traceable operation, List<Value> inputs, List<Boolean> recorded, List<Value> results) {
  /// Returns whether the gradient of any input is recorded.
  public boolean isRecorded() {
    return recorded.contains(true);
  }
}
