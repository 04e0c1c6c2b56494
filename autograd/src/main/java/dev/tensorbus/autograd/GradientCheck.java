// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// Checks a function's gradient against what its values say: along a random direction, the slope
/// by the central difference must be the product of gradient and direction. For those who write
/// operations or loss functions of their own; after `torch.autograd.gradcheck`.
///
/// A result with several values is made one by a random weighting. Everything is computed in
/// float64, whatever the inputs' type; a function that uses other tensors of float32 has to
/// convert them. Keep inputs away from kinks, such as 0 for relu, and near 1 in size.
public final class GradientCheck {
  /// Where the error of a difference of float64 values and that of a curved function meet.
  private static final double STEP = 0x1p-17;

  /// Relative to the lengths of gradient and direction.
  private static final double TOLERANCE = 1e-7;

  private final RandomGenerator random;

  /// Draws directions and weightings from `random`.
  public GradientCheck(RandomGenerator random) {
    this.random = random;
  }

  /// Checks a function of one tensor.
  ///
  /// @throws AssertionError if the gradient is wrong, with both slopes
  public void check(UnaryOperator<Tensor> function, Tensor input) {
    checkAll(inputs -> function.apply(inputs.getFirst()), input);
  }

  /// Checks a function of several tensors with respect to all of them at once.
  ///
  /// @throws AssertionError if the gradient is wrong, with both slopes
  public void checkAll(Function<List<Tensor>, Tensor> function, Tensor... inputs) {
    List<Tensor> parameters =
        Arrays.stream(inputs).map(x -> Tensor.parameterOf(x.to(DType.FLOAT64))).toList();
    Tensor result = function.apply(parameters);
    Tensor weights = normal(result.shape());
    result.mul(weights).sum().backward();

    List<Tensor> directions = parameters.stream().map(x -> normal(x.shape())).toList();
    double difference =
        (value(function, parameters, directions, STEP, weights)
                - value(function, parameters, directions, -STEP, weights))
            / (2 * STEP);
    double product = 0;
    double scale = 0;
    for (int i = 0; i < inputs.length; i++) {
      Tensor gradient = Objects.requireNonNullElse(parameters.get(i).grad(), zeros(inputs[i]));
      product += dot(gradient, directions.get(i));
      scale += Math.sqrt(dot(gradient, gradient) * dot(directions.get(i), directions.get(i)));
    }
    if (!(Math.abs(difference - product) <= TOLERANCE * (scale + STEP))) {
      throw new AssertionError(
          "gradient says " + product + ", difference of values says " + difference);
    }
  }

  /// The weighted result at `step` along the directions.
  private static double value(
      Function<List<Tensor>, Tensor> function,
      List<Tensor> inputs,
      List<Tensor> directions,
      double step,
      Tensor weights) {
    Tensor[] moved = new Tensor[inputs.size()];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = inputs.get(i).detach().add(directions.get(i).scale(step));
    }
    return dot(NoGrad.call(() -> function.apply(List.of(moved))), weights);
  }

  private Tensor normal(Shape shape) {
    return Tensor.randn(random, shape.toArray()).to(DType.FLOAT64);
  }

  private static Tensor zeros(Tensor like) {
    return Tensor.full(like.shape(), DType.FLOAT64, 0);
  }

  private static double dot(Tensor a, Tensor b) {
    return a.mul(b).sum().itemDouble();
  }
}
