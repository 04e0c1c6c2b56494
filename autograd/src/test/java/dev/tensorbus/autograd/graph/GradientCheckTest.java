// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class GradientCheckTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void dropoutPassesGradientsWhereItPassedValues() {
    check(x -> x.dropout(0.5f, new SplittableRandom(1)), randn(3, 4));
    check(x -> x.dropout2d(0.5f, new SplittableRandom(1)), randn(3, 4, 2, 2));
  }

  @Test
  void functionsOfSeveralTensorsAreCheckedForAll() {
    checkAll(x -> x.get(0).mul(x.get(1)).add(x.get(0)), randn(3, 4), randn(4));
  }

  @Test
  void aWrongDerivativeIsFoundWithBothNumbers() {
    GradientCheck check = new GradientCheck(random);
    assertThatThrownBy(() -> check.check(x -> x.mul(x.detach()), randn(3, 4)))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(
            "slope from the gradient: [-0-9.E]+, from the central difference: [-0-9.E]+");
  }

  @Test
  void aWrongSecondDerivativeIsFound() {
    GradientCheck check = new GradientCheck(random);
    check.check(Square::of, randn(3));
    assertThatThrownBy(() -> check.checkSecond(x -> Square.of(x.getFirst()), randn(3)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("slope from the gradient: ");
  }

  /// `x` squared. It claims to record its derivative, in which `x` has lost its place.
  private static final class Square extends Node {
    private final Tensor x;

    private Square(Tensor x) {
      super(1, List.of(x.gradientEdge()));
      this.x = x.detach();
    }

    static Tensor of(Tensor x) {
      Tensor y = x.detach().mul(x.detach());
      return x.requiresGrad() ? Tensor.recorded(y, new Edge(new Square(x), 0)) : y;
    }

    @Override
    protected boolean isOnceDifferentiable() {
      return false;
    }

    @Override
    protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
      return new Tensor[] {Objects.requireNonNull(gradients[0]).mul(x.scale(2))};
    }

    @Override
    public String toString() {
      return "square";
    }
  }

  private void check(UnaryOperator<Tensor> function, Tensor input) {
    checkAll(x -> function.apply(x.getFirst()), input);
  }

  private void checkAll(Function<List<Tensor>, Tensor> function, Tensor... inputs) {
    try {
      GradientCheck check = new GradientCheck(random);
      check.checkAll(function, inputs);
      check.checkSecond(function, inputs);
    } catch (AssertionError wrong) {
      throw new AssertionError(wrong.getMessage() + " (-Dseed=" + SEED + ")", wrong);
    }
  }

  private Tensor randn(int... sizes) {
    return Tensor.randn(random, sizes);
  }
}
