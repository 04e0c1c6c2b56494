// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SgdTest {
  @Test
  void settingsAreAddedToACopy() {
    Sgd plain = new Sgd(0.1f);
    assertThat(plain.withMomentum(0.9f).withNesterov(true).withWeightDecay(0.01f))
        .isEqualTo(new Sgd(0.1f, 0.9f, 0, 0.01f, true));
    assertThat(plain.withMomentum(0.5f).withDampening(0.2f))
        .isEqualTo(new Sgd(0.1f, 0.5f, 0.2f, 0, false));
    assertThat(plain).isEqualTo(new Sgd(0.1f, 0, 0, 0, false));
  }

  @Test
  void refusesNegativeSettings() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(-0.1f))
        .withMessage("sgd: learning rate -0.1 must not be negative");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1f).withMomentum(-1f))
        .withMessage("sgd: momentum -1.0 must not be negative");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1f).withWeightDecay(-1f))
        .withMessage("sgd: weight decay -1.0 must not be negative");
  }

  @Test
  void refusesWhatIsNoNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(Float.NaN))
        .withMessage("sgd: learning rate NaN must be a finite number");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1f).withDampening(Float.POSITIVE_INFINITY))
        .withMessage("sgd: dampening Infinity must be a finite number");
  }

  @Test
  void nesterovNeedsMomentumWithoutDampening() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1f).withNesterov(true))
        .withMessage(
            "sgd: Nesterov's momentum needs a momentum above 0 and no dampening,"
                + " not momentum 0.0 and dampening 0.0; call withMomentum before withNesterov");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sgd(0.1f).withMomentum(0.9f).withNesterov(true).withDampening(0.1f));
  }
}
