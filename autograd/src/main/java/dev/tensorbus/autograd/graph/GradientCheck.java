// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Checks a function's gradient numerically: along a random direction, the central difference must
/// equal the dot product of the gradient and the direction. For authors of operations and loss
/// functions. Like `torch.autograd.gradcheck`.
///
/// A result with several values is reduced to one by a randomly weighted sum. Everything is
/// computed in float64, whatever the inputs' type; a function that uses other float32 tensors must
/// convert them to float64. Inputs should be close to 1 in magnitude and away from kinks, such as 0
/// for relu.
public final class GradientCheck {
  /// The step size, which balances the rounding error against the truncation error of the
  /// difference.
  private static final double STEP = 0x1p-17;

  /// The tolerance, relative to the norms of the gradient and the direction.
  private static final double TOLERANCE = 1e-7;

  private final RandomGenerator random;

  /// Creates a check that draws directions and weights from `random`.
  public GradientCheck(RandomGenerator random) {
    this.random = random;
  }

  /// Checks a function of one tensor.
  ///
  /// @throws AssertionError if the gradient is wrong; the message contains both slopes
  public void check(UnaryOperator<Tensor> function, Tensor input) {
    checkAll(inputs -> function.apply(inputs.getFirst()), input);
  }

  /// Checks a function of several tensors with respect to all of them at once.
  ///
  /// @throws AssertionError if the gradient is wrong; the message contains both slopes
  public void checkAll(Function<List<Tensor>, Tensor> function, Tensor... inputs) {
    List<Tensor> parameters =
        Arrays.stream(inputs).map(x -> Tensor.parameterOf(x.to(DType.FLOAT64))).toList();
    checkLeaves(() -> function.apply(parameters), parameters);
  }

  /// Checks a function of float64 leaves, such as a layer's parameters, with respect to all of them
  /// at once. Changes their values temporarily.
  ///
  /// @throws AssertionError if the gradient is wrong; the message contains both slopes
  public void checkLeaves(Supplier<Tensor> function, List<Tensor> leaves) {
    Tensor result = function.get();
    Tensor weights = normal(result.shape());
    List<@Nullable Tensor> gradients =
        Backward.from(result.mul(weights).sum()).gradientsOf(leaves.toArray(Tensor[]::new));
    List<Tensor> directions = leaves.stream().map(x -> normal(x.shape())).toList();
    double product = 0;
    double scale = 0;
    for (int i = 0; i < leaves.size(); i++) {
      Tensor gradient = Objects.requireNonNullElse(gradients.get(i), zeros(leaves.get(i)));
      product += dot(gradient, directions.get(i));
      scale += Math.sqrt(dot(gradient, gradient) * dot(directions.get(i), directions.get(i)));
    }
    double difference = slope(() -> dot(function.get(), weights), leaves, directions);
    if (!(Math.abs(difference - product) <= TOLERANCE * (scale + STEP))) {
      throw new AssertionError(
          "slope from the gradient: " + product + ", from the central difference: " + difference);
    }
  }

  /// Checks the second derivative: the gradient of a function's gradient, with respect to the
  /// inputs and to the gradient given for the result. Like `torch.autograd.gradgradcheck`.
  ///
  /// @throws AssertionError if the second derivative is wrong; the message contains both slopes
  public void checkSecond(Function<List<Tensor>, Tensor> function, Tensor... inputs) {
    List<Tensor> parameters =
        Arrays.stream(inputs).map(x -> Tensor.parameterOf(x.to(DType.FLOAT64))).toList();
    checkSecondOfLeaves(() -> function.apply(parameters), parameters);
  }

  /// Checks the second derivative of a function of float64 leaves, such as a layer's parameters.
  /// Changes their values temporarily.
  ///
  /// @throws AssertionError if the second derivative is wrong; the message contains both slopes
  public void checkSecondOfLeaves(Supplier<Tensor> function, List<Tensor> leaves) {
    Tensor given = Tensor.parameterOf(normal(function.get().shape()));
    List<Tensor> weights = leaves.stream().map(x -> normal(x.shape())).toList();
    List<Tensor> all = new ArrayList<>(leaves);
    all.add(given);
    checkLeaves(() -> NoGrad.suspend(() -> weighted(function, given, leaves, weights)), all);
  }

  /// Returns the weighted sum of a function's gradients.
  private static Tensor weighted(
      Supplier<Tensor> function, Tensor given, List<Tensor> leaves, List<Tensor> weights) {
    List<@Nullable Tensor> gradients =
        Backward.from(function.get(), given)
            .createGraph()
            .gradientsOf(leaves.toArray(Tensor[]::new));
    Tensor sum = given.scale(0).sum();
    for (int i = 0; i < leaves.size(); i++) {
      Tensor gradient = gradients.get(i);
      sum = gradient == null ? sum : sum.add(gradient.mul(weights.get(i)).sum());
    }
    return sum;
  }

  private static double slope(
      Supplier<Double> value, List<Tensor> leaves, List<Tensor> directions) {
    List<Tensor> before = leaves.stream().map(Tensor::detach).toList();
    try {
      return (value(value, leaves, before, directions, STEP)
              - value(value, leaves, before, directions, -STEP))
          / (2 * STEP);
    } finally {
      for (int i = 0; i < leaves.size(); i++) {
        Tensor start = before.get(i);
        leaves.get(i).replace(moved -> start);
      }
    }
  }

  /// Returns the value after a step along the directions.
  private static double value(
      Supplier<Double> value,
      List<Tensor> leaves,
      List<Tensor> before,
      List<Tensor> directions,
      double step) {
    for (int i = 0; i < leaves.size(); i++) {
      Tensor moved = before.get(i).add(directions.get(i).scale(step));
      leaves.get(i).replace(present -> moved);
    }
    return NoGrad.call(value);
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
