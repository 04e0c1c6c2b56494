// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Steps of [Lbfgs] against `torch/optimizers.py`: through Rosenbrock's valley.
class LbfgsTest {
  private static final Map<String, Tensor> REFERENCE = TorchResource.read("optimizers");

  private final Tensor x = Tensor.parameterOf(get("lbfgs/initial"));

  private Tensor valley() {
    Tensor first = x.slice(0, 0, 3);
    Tensor rest = x.slice(0, 1, 4);
    Tensor across = rest.sub(first.mul(first));
    Tensor along = first.rsubScalar(1);
    return across.mul(across).scale(100).add(along.mul(along)).sum();
  }

  @Test
  void stepsGoWhereTorchGoes() {
    Lbfgs lbfgs = new Lbfgs(List.of(x), 0.5, 4, 3, 1e-7, 1e-9);
    Tensor points = get("lbfgs/points");
    double[] losses = get("lbfgs/losses").doubles();
    for (int step = 0; step < losses.length; step++) {
      assertThat(lbfgs.step(this::valley))
          .as("loss %s", step)
          .isCloseTo(losses[step], within(1e-9 * Math.max(1, losses[step])));
      assertThat(x.doubles())
          .as("step %s", step)
          .containsExactly(points.select(0, step).doubles(), within(1e-9));
    }
  }

  @Test
  void aSumOfSquaresIsAtItsEndAfterOneStep() {
    Tensor point = Tensor.parameter(Shape.of(2), new float[] {3, -2});
    Lbfgs lbfgs = new Lbfgs(List.of(point), 1);
    Tensor weights = Tensor.of(1, 10);
    double before = lbfgs.step(() -> point.mul(point).mul(weights).sum());
    assertThat(before).isEqualTo(49);
    assertThat(point.norm().item()).isLessThan(1e-3f);
    assertThat(point.dtype()).isEqualTo(DType.FLOAT32);
    assertThat(point.grad()).isNull();
  }

  @Test
  void refusesSettingsThatMakeNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Lbfgs(List.of(x), -1))
        .withMessage(
            "lbfgs: learning rate -1.0, tolerances 1.0E-7 and 1.0E-9, 20 iterations, history of"
                + " 100; expected 0 or more, and at least 1 iteration and 1 of history");
  }

  private static Tensor get(String name) {
    return Objects.requireNonNull(REFERENCE.get(name), name);
  }
}
