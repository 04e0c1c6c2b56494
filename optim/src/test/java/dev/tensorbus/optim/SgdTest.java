// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SgdTest {
  @Test
  void settingsAreAddedToACopy() {
    Sgd plain = new Sgd(0.1);
    assertThat(plain.withMomentum(0.9).withNesterov(true).withWeightDecay(0.01))
        .isEqualTo(new Sgd(0.1, 0.9, 0, 0.01, true, false));
    assertThat(plain.withMomentum(0.5).withDampening(0.2))
        .isEqualTo(new Sgd(0.1, 0.5, 0.2, 0, false, false));
    assertThat(plain).isEqualTo(new Sgd(0.1, 0, 0, 0, false, false));
  }

  @Test
  void refusesNegativeSettings() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(-0.1))
        .withMessage("sgd: learning rate -0.1 must not be negative");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1).withMomentum(-1))
        .withMessage("sgd: momentum -1.0 must not be negative");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1).withWeightDecay(-1))
        .withMessage("sgd: weight decay -1.0 must not be negative");
  }

  @Test
  void refusesWhatIsNoNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(Double.NaN))
        .withMessage("sgd: learning rate NaN must be a finite number");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1).withDampening(Double.POSITIVE_INFINITY))
        .withMessage("sgd: dampening Infinity must be a finite number");
  }

  @Test
  void nesterovNeedsMomentumWithoutDampening() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1).withNesterov(true))
        .withMessage(
            "sgd: Nesterov's momentum needs a momentum above 0 and no dampening,"
                + " not momentum 0.0 and dampening 0.0; call withMomentum before withNesterov");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1).withMomentum(0.9).withNesterov(true).withDampening(0.1));
  }
}
