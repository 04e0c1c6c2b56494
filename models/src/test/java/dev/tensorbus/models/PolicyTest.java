// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PolicyTest {
  private final Policy policy = new Policy(new SplittableRandom(1));

  @Test
  void parametersHaveTheTutorialsNamesAndShapes() {
    List<String> parameters = new ArrayList<>();
    policy
        .namedParameters()
        .forEach((name, parameter) -> parameters.add(name + " " + parameter.shape()));
    assertThat(parameters)
        .containsExactly(
            "affine1.weight [128, 4]",
            "affine1.bias [128]",
            "affine2.weight [2, 128]",
            "affine2.bias [2]");
  }

  @Test
  void dropsOutInTrainingOnly() {
    Tensor states = Tensor.randn(new SplittableRandom(2), 3, 4);
    assertThat(policy.forward(states).shape()).isEqualTo(Shape.of(3, 2));
    assertThat(policy.forward(states).values()).isNotEqualTo(policy.forward(states).values());
    policy.eval();
    assertThat(policy.forward(states).values()).isEqualTo(policy.forward(states).values());
  }

  @Test
  void dropsOutTheSameByTheSameNumbers() {
    Tensor states = Tensor.randn(new SplittableRandom(2), 3, 4);
    Tensor first = policy.forwardWith(new SplittableRandom(3), states);
    policy.forward(states);
    assertThat(policy.forwardWith(new SplittableRandom(3), states).values())
        .isEqualTo(first.values());
    policy.eval();
    assertThat(policy.forwardWith(new SplittableRandom(3), states).values())
        .isEqualTo(policy.forward(states).values());
  }
}
