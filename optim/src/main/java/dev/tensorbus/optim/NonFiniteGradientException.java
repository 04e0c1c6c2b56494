// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.io.Serial;

/// A step whose gradients are not all finite was refused: no parameter and no state has changed.
/// The message names the first such parameter.
public final class NonFiniteGradientException extends ArithmeticException {
  @Serial private static final long serialVersionUID = 1;

  /// @param problem which gradient it is, as [Optimizer#nonFinite] says
  public NonFiniteGradientException(String problem) {
    super(
        "step: %s; nothing was changed. Look for what is not finite in the loss, or skip such steps"
                .formatted(problem)
            + " with setErrorIfNonFinite(false)");
  }
}
