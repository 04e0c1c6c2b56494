// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SettingsTest {
  @Test
  void aRateIsNotNegative() {
    refuses(() -> new Adam(-1), "adam: learning rate -1.0 must not be negative");
    refuses(() -> new AdamW(-1), "adamw: learning rate -1.0 must not be negative");
    refuses(() -> new Adagrad(-1), "adagrad: learning rate -1.0 must not be negative");
    refuses(() -> new Adadelta(-1), "adadelta: learning rate -1.0 must not be negative");
    refuses(() -> new Rmsprop(-1), "rmsprop: learning rate -1.0 must not be negative");
    refuses(() -> new Adamax(-1), "adamax: learning rate -1.0 must not be negative");
    refuses(() -> new NAdam(-1), "nadam: learning rate -1.0 must not be negative");
    refuses(() -> new RAdam(-1), "radam: learning rate -1.0 must not be negative");
    refuses(() -> new Rprop(-1), "rprop: learning rate -1.0 must not be negative");
    refuses(() -> new SparseAdam(-1), "sparseadam: learning rate -1.0 must not be negative");
  }

  @Test
  void aShareIsBelowOne() {
    refuses(() -> new Adam(1).withBetas(1, 0), "adam: beta1 1.0 must be in [0, 1)");
    refuses(() -> new AdamW(1).withBetas(0, 1), "adamw: beta2 1.0 must be in [0, 1)");
    refuses(() -> new Adamax(1).withBetas(-1, 0), "adamax: beta1 -1.0 must be in [0, 1)");
    refuses(
        () -> new SparseAdam(1).withBetas(Double.NaN, 0),
        "sparseadam: beta1 NaN must be in [0, 1)");
    refuses(() -> new Adadelta(1).withRho(1.1), "adadelta: rho 1.1 must be in [0, 1]");
  }

  @Test
  void aStepOfRpropShrinksAndGrows() {
    refuses(() -> new Rprop(1).withEtas(1, 2), "rprop: etaMinus 1.0 must be in (0, 1)");
    refuses(() -> new Rprop(1).withEtas(0.5, 1), "rprop: etaPlus 1.0 must be above 1");
  }

  private static void refuses(ThrowingCallable settings, String message) {
    assertThatIllegalArgumentException().isThrownBy(settings).withMessage(message);
  }

  @Test
  void eachSettingIsAddedToACopy() {
    assertThat(new Adam(1).withBetas(0.1, 0.2).withEps(3).withWeightDecay(4).withAmsgrad(true))
        .isEqualTo(new Adam(1, 0.1, 0.2, 3, 4, true, false));
    assertThat(new AdamW(1).withMomentum(0.1).withWeightDecay(0).withMaximize(true))
        .isEqualTo(new AdamW(1, 0.1, 0.999, 1e-8, 0, false, true));
    assertThat(new Adagrad(1).withLrDecay(2).withWeightDecay(3).withInitialAccumulator(4))
        .isEqualTo(new Adagrad(1, 2, 3, 4, 1e-10, false));
    assertThat(new Adadelta(1).withRho(0.5).withEps(2).withWeightDecay(3).withMaximize(true))
        .isEqualTo(new Adadelta(1, 0.5, 2, 3, true));
    assertThat(new Rmsprop(1).withAlpha(2).withEps(3).withWeightDecay(4).withMomentum(5))
        .isEqualTo(new Rmsprop(1, 2, 3, 4, 5, false, false));
    assertThat(new Adamax(1).withMomentum(0.5).withEps(2).withLearningRate(3))
        .isEqualTo(new Adamax(3, 0.5, 0.999, 2, 0, false));
    assertThat(new NAdam(1).withMomentum(0.5).withEps(2).withMomentumDecay(3).withWeightDecay(4))
        .isEqualTo(new NAdam(1, 0.5, 0.999, 2, 4, 3));
    assertThat(new RAdam(1).withMomentum(0.5).withEps(2).withWeightDecay(3).withLearningRate(4))
        .isEqualTo(new RAdam(4, 0.5, 0.999, 2, 3));
    assertThat(new Rprop(1).withEtas(0.1, 3).withStepSizes(4, 5))
        .isEqualTo(new Rprop(1, 0.1, 3, 4, 5, false));
    assertThat(new SparseAdam(1).withBetas(0.1, 0.2).withEps(3).withMaximize(true))
        .isEqualTo(new SparseAdam(1, 0.1, 0.2, 3, true));
  }
}
