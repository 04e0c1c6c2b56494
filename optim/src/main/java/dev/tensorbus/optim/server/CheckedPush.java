// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Tensor;
import java.util.Map;

/// A push whose gradients fit the model.
///
/// @param gradients the gradients by parameter; empty if they were dropped
/// @param loss the mean loss from which the gradients were computed
/// @param examples the number of examples, which is the gradients' weight in a mean; 0 if unknown
record CheckedPush(String trainer, Map<Tensor, Tensor> gradients, float loss, int examples) {
  /// Returns the step of which this push has become a part.
  ///
  /// @param version the version of the parameters after the step
  LearnedStep learned(long version) {
    return new LearnedStep(trainer, loss, examples, version);
  }
}
