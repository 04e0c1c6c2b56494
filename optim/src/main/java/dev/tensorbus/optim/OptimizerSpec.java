// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Tensor;
import java.util.Collection;

/// Says how to turn gradients into new parameters, without the parameters: a record of settings
/// that may travel to wherever they are.
public interface OptimizerSpec {
  /// Makes an optimizer for these parameters, with no state from earlier steps.
  ///
  /// @throws IllegalArgumentException if there are none, one is there twice, or one is no parameter
  default Optimizer over(Collection<Tensor> parameters) {
    return new Optimizer(this, parameters);
  }

  /// Makes the rule for one parameter, with whatever it remembers from step to step.
  ///
  /// @param elements how many values the parameter has
  UpdateRule rule(int elements);
}
