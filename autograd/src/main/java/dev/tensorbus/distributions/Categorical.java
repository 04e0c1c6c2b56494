// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.distributions;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// A distribution over class indices. Like `torch.distributions.Categorical`.
public final class Categorical implements Distribution {
  private final Tensor probabilities;
  private final Tensor logProbabilities;

  private Categorical(Tensor probabilities, Tensor logProbabilities) {
    this.probabilities = probabilities;
    this.logProbabilities = logProbabilities;
  }

  /// Creates a distribution from logits `[…, classes]`, whose softmax yields the probabilities. A
  /// class with a logit of -infinity has the probability 0.
  ///
  /// @throws ShapeException if there is no class
  /// @throws IllegalArgumentException if a value is NaN or +infinity, or all values of a row are
  ///     -infinity
  public static Categorical ofLogits(Tensor logits) {
    requireClasses(logits.shape());
    Tensor logProbabilities = logits.logSoftmax(-1);
    double[] values = Compute.doubles(logProbabilities);
    for (int i = 0; i < values.length; i++) {
      if (Double.isNaN(values[i])) {
        int row = i / logits.shape().size(-1);
        throw new IllegalArgumentException(
            ("categorical: the logits of row %d have no softmax; expected no NaN or Infinity,"
                    + " and at least one value above -Infinity")
                .formatted(row));
      }
    }
    return new Categorical(logProbabilities.exp(), logProbabilities);
  }

  /// Creates a distribution from probabilities `[…, classes]`, which are normalized to a sum of 1.
  /// Before their logarithms are computed, they are clamped to `[eps, 1 - eps]`, where `eps` is the
  /// precision of their type, as in torch, so that [#logProbability] and [#entropy] have finite
  /// gradients.
  ///
  /// @throws ShapeException if there is no class
  /// @throws IllegalArgumentException if a probability is negative or NaN, or the sum of a row is
  ///     0 or infinite
  public static Categorical ofProbabilities(Tensor probabilities) {
    requireClasses(probabilities.shape());
    Tensor sums = probabilities.sum(-1).unsqueeze(-1);
    requireProbabilities(Compute.doubles(probabilities), Compute.doubles(sums));
    Tensor normalized = probabilities.div(sums);
    double eps = normalized.dtype() == DType.FLOAT64 ? Math.ulp(1.0) : Math.ulp(1f);
    return new Categorical(normalized, normalized.clamp(eps, 1 - eps).log());
  }

  private static void requireClasses(Shape shape) {
    if (shape.rank() == 0 || shape.size(-1) == 0) {
      throw new ShapeException(
          "categorical", shape + " is not […, classes] with at least one class");
    }
  }

  private static void requireProbabilities(double[] probabilities, double[] sums) {
    for (int i = 0; i < probabilities.length; i++) {
      if (!(probabilities[i] >= 0)) {
        throw new IllegalArgumentException(
            "categorical: the probability at index %d is %s; expected 0 or more"
                .formatted(i, probabilities[i]));
      }
    }
    for (int row = 0; row < sums.length; row++) {
      if (!(sums[row] > 0 && sums[row] < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "categorical: the probabilities of row %d sum to %s; expected a finite sum above 0"
                .formatted(row, sums[row]));
      }
    }
  }

  @Override
  public Shape batchShape() {
    int[] sizes = logProbabilities.shape().toArray();
    return Shape.of(Arrays.copyOf(sizes, sizes.length - 1));
  }

  /// Returns the probability of each class.
  public Tensor probabilities() {
    return probabilities;
  }

  /// Draws an int64 class index from each distribution.
  @Override
  public Tensor sample(RandomGenerator random) {
    double[] values = Compute.doubles(probabilities);
    int classes = logProbabilities.shape().size(-1);
    long[] chosen = new long[batchShape().elements()];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = choose(values, i * classes, classes, random.nextDouble());
    }
    return Tensor.of(batchShape(), chosen);
  }

  /// Returns the class whose interval of cumulative probability contains the point.
  private static int choose(double[] probabilities, int start, int classes, double point) {
    double sum = 0;
    int last = 0;
    for (int each = 0; each < classes; each++) {
      double probability = probabilities[start + each];
      sum += probability;
      // Rounding may leave the sum below the point; the last class with a probability above 0 is
      // used.
      last = probability > 0 ? each : last;
      if (point < sum) {
        return each;
      }
    }
    return last;
  }

  /// @param value int64 class indices, of the shape of the batch
  /// @throws IllegalArgumentException if a class index is out of range
  @Override
  public Tensor logProbability(Tensor value) {
    return logProbabilities.gather(-1, value.unsqueeze(-1)).squeeze(-1);
  }

  @Override
  public Tensor entropy() {
    // An impossible class adds nothing: its infinite logarithm must not be multiplied by 0.
    Tensor finite = logProbabilities.clamp(-Float.MAX_VALUE, Double.POSITIVE_INFINITY);
    return finite.mul(probabilities).sum(-1).neg();
  }
}
