// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class FunctionalTest {
  private static final Function<List<Tensor>, Tensor> PRODUCT = in -> in.get(0).mul(in.get(1));

  private final Tensor x = Tensor.of(1, 2, 3);
  private final Tensor y = Tensor.of(4, 5, 6);

  @Test
  void productsOfAFunctionOfTwo() {
    List<Tensor> both = List.of(x, y);
    List<Tensor> rows = Functional.vjp(PRODUCT, both, Tensor.of(1, 10, 100));
    assertThat(rows.get(0).values()).containsExactly(4, 50, 600);
    assertThat(rows.get(1).values()).containsExactly(1, 20, 300);
    Tensor column = Functional.jvp(PRODUCT, both, List.of(Tensor.ones(3), Tensor.of(1, 0, 10)));
    assertThat(column.values()).containsExactly(5, 5, 36);
    List<Tensor> jacobian = Functional.jacobian(PRODUCT, both);
    assertThat(jacobian.get(0).shape()).isEqualTo(Shape.of(3, 3));
    assertThat(jacobian.get(0).values()).containsExactly(4, 0, 0, 0, 5, 0, 0, 0, 6);
    List<Tensor> hessian =
        Functional.hvp(in -> PRODUCT.apply(in).sum(), both, List.of(Tensor.ones(3), y));
    assertThat(hessian.get(0).values()).containsExactly(4, 5, 6);
    assertThat(hessian.get(1).values()).containsExactly(1, 1, 1);
  }

  @Test
  void aTensorThatIsGivenTwiceIsTwoInputs() {
    Tensor leaf = Tensor.parameterOf(x);
    List<Tensor> rows = Functional.vjp(in -> in.get(0), List.of(leaf, leaf), Tensor.ones(3));
    assertThat(rows.get(0).values()).containsExactly(1, 1, 1);
    assertThat(rows.get(1).values()).containsExactly(0, 0, 0);
  }

  @Test
  void resultsHaveAGraphWhereInputsRequireGradients() {
    Tensor leaf = Tensor.parameterOf(x);
    Tensor row = Functional.vjp(in -> in.get(0).pow(3), List.of(leaf), Tensor.ones(3)).getFirst();
    row.sum().backward();
    assertThat(leaf.grad())
        .isNotNull()
        .extracting(Tensor::values)
        .isEqualTo(new float[] {6, 12, 18});
    Tensor plain = Functional.vjp(in -> in.get(0).pow(3), List.of(x), Tensor.ones(3)).getFirst();
    assertThat(plain.requiresGrad()).isFalse();
    assertThat(
            NoGrad.call(() -> Functional.jvp(in -> in.get(0).pow(3), List.of(leaf), List.of(y)))
                .requiresGrad())
        .isFalse();
  }

  @Test
  void theHessianIsTheJacobianOfTheGradient() {
    Function<List<Tensor>, Tensor> gradient =
        in -> Functional.vjp(at -> at.getFirst().pow(3).sum(), in, Tensor.scalar(1)).getFirst();
    assertThat(Functional.jacobian(gradient, List.of(x)).getFirst().values())
        .containsExactly(6, 0, 0, 0, 12, 0, 0, 0, 18);
  }

  @Test
  void whatDoesNotDependOnAnInputHasZeros() {
    List<Tensor> both = List.of(x, y);
    Function<List<Tensor>, Tensor> constant = in -> Tensor.ones(3);
    assertThat(Functional.vjp(constant, both, Tensor.ones(3)).get(1).values()).containsOnly(0);
    assertThat(Functional.jvp(constant, both, both).values()).containsOnly(0);
    assertThat(Functional.hvp(in -> in.get(0).sum(), both, both).get(0).values()).containsOnly(0);
  }

  @Test
  void shapesThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> Functional.vjp(PRODUCT, List.of(x, y), Tensor.ones(2)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("vjp: [2] does not have the shape [3]");
    assertThatThrownBy(() -> Functional.jvp(PRODUCT, List.of(x, y), List.of(x)))
        .hasMessage("jvp: 1 vectors do not fit 2 inputs; pass one for each");
    assertThatThrownBy(() -> Functional.hvp(PRODUCT, List.of(x, y), List.of(x, y)))
        .hasMessage("hvp: the function returns [3], not a single value");
  }
}
