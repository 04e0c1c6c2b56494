// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Losses;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Steps of [Lbfgs] against `torch/optimizers.py`: through Rosenbrock's valley and of two layers.
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
    assertSteps("lbfgs", lbfgs, this::valley, List.of(x));
  }

  @Test
  void stepsWithASearchGoWhereTorchGoes() {
    Lbfgs lbfgs = new Lbfgs(List.of(x), 1, 4, 3, 1e-7, 1e-9).withStrongWolfe();
    assertSteps("strong_wolfe", lbfgs, this::valley, List.of(x));
  }

  @Test
  void aNetworkGoesWhereTorchGoes() {
    Tensor all = get("strong_wolfe/net/initial");
    List<Tensor> parameters =
        List.of(part(all, 0, 5, 3), part(all, 15, 5), part(all, 20, 2, 5), part(all, 30, 2));
    Tensor inputs = get("strong_wolfe/net/inputs");
    Supplier<Tensor> loss =
        () -> {
          Tensor hidden = inputs.linear(parameters.get(0), parameters.get(1)).tanh();
          Tensor outputs = hidden.linear(parameters.get(2), parameters.get(3));
          return Losses.mseLoss(outputs, get("strong_wolfe/net/targets"));
        };
    Lbfgs lbfgs = new Lbfgs(parameters, 1, 5, 100, 1e-7, 1e-9).withStrongWolfe();
    assertSteps("strong_wolfe/net", lbfgs, loss, parameters);
  }

  private static Tensor part(Tensor all, int from, int... sizes) {
    Shape shape = Shape.of(sizes);
    return Tensor.parameterOf(all.slice(0, from, from + shape.elements()).reshape(sizes));
  }

  private static void assertSteps(
      String name, Lbfgs lbfgs, Supplier<Tensor> loss, List<Tensor> parameters) {
    Tensor points = get(name + "/points");
    double[] losses = get(name + "/losses").doubles();
    for (int step = 0; step < losses.length; step++) {
      assertThat(lbfgs.step(loss))
          .as("loss %s", step)
          .isCloseTo(losses[step], within(1e-9 * Math.max(1, losses[step])));
      Tensor all = Tensor.concatenate(parameters.stream().map(p -> p.reshape(-1)).toList(), 0);
      assertThat(all.doubles())
          .as("step %s", step)
          .containsExactly(points.select(0, step).doubles(), within(1e-9));
    }
  }

  @Test
  void aSearchComesBackFromWhereTheLossIsNoNumber() {
    Tensor point = Tensor.parameterOf(Tensor.of(0.5f).to(DType.FLOAT64));
    Lbfgs lbfgs = new Lbfgs(List.of(point), 1000).withStrongWolfe();
    // The minimum is 1/3; beyond 0 and 1 there is no loss.
    Supplier<Tensor> loss =
        () -> point.log().add(point.rsubScalar(1).log().scale(2)).scale(-1).sum();
    double before = lbfgs.step(loss);
    assertThat(loss.get().itemDouble()).isLessThan(before);
    assertThat(point.norm().itemDouble()).isCloseTo(1 / 3.0, within(1e-4));
  }

  @Test
  void aSearchGoesFurtherThanTheRate() {
    Tensor point = Tensor.parameterOf(Tensor.of(100));
    new Lbfgs(List.of(point), 0.001, 1, 1, 1e-7, 1e-9)
        .withStrongWolfe()
        .step(() -> point.mul(point).sum());
    assertThat(Math.abs(point.norm().itemDouble())).isLessThan(95);
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
                + " 100; expected a rate and tolerances of 0 or more, and iterations and a history"
                + " of 1 or more");
  }

  private static Tensor get(String name) {
    return Objects.requireNonNull(REFERENCE.get(name), name);
  }
}
