// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.io.Serial;

/// Thrown if a gradient is not finite. In that case, no parameter or optimizer state has changed.
/// The message names the first affected parameter.
public final class NonFiniteGradientException extends ArithmeticException {
  @Serial private static final long serialVersionUID = 1;

  /// @param problem description of the gradient, from [Optimizer#nonFinite]
  public NonFiniteGradientException(String problem) {
    super(
        "step: %s; nothing was changed. Find the non-finite value in the loss, or skip such steps"
                .formatted(problem)
            + " with setErrorIfNonFinite(false)");
  }
}
