// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class AnomalyTest {
  private final Tensor x = Tensor.parameter(Shape.of(2), new float[] {0, 4});

  @Test
  void theLineWhoseGradientBecameNanIsNamed() {
    assertThatThrownBy(() -> Anomaly.detect(this::lossWithNan))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageMatching(
            "anomaly: the gradient of input 0 of sqrt is NaN; it was computed at"
                + " .*AnomalyTest\\.rootOf\\(AnomalyTest\\.java:\\d+\\)")
        .hasRootCauseMessage("the operation was recorded here");
  }

  @Test
  void outsideNothingIsLookedFor() {
    lossWithNan();
    assertThat(Objects.requireNonNull(x.grad()).values()[0]).isNaN();
  }

  @Test
  void finiteGradientsPass() {
    assertThat(Anomaly.detect(() -> x.mul(x).sum()).item()).isEqualTo(16);
  }

  /// The slope of the root at 0 is infinite, and it is multiplied by 0.
  private boolean lossWithNan() {
    rootOf(x.mul(x)).sum().backward();
    return true;
  }

  private static Tensor rootOf(Tensor x) {
    return x.sqrt().scale(0).add(x);
  }
}
