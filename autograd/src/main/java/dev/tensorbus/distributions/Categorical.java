// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.distributions;

import dev.tensorbus.autograd.Axes;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// One of several classes, by number. After `torch.distributions.Categorical`.
public final class Categorical implements Distribution {
  private final Tensor logProbabilities;

  private Categorical(Tensor logProbabilities) {
    if (logProbabilities.shape().rank() == 0 || logProbabilities.shape().size(-1) == 0) {
      throw new ShapeException(
          "categorical", logProbabilities.shape() + " is not […, classes] with at least one class");
    }
    this.logProbabilities = logProbabilities;
  }

  /// Takes values `[…, classes]` of which the softmax gives the probabilities.
  public static Categorical ofLogits(Tensor logits) {
    return new Categorical(logits.logSoftmax(-1));
  }

  /// Takes probabilities `[…, classes]`, which are brought to a sum of 1.
  public static Categorical ofProbabilities(Tensor probabilities) {
    return new Categorical(probabilities.div(probabilities.sumOver(Axes.of(-1).keepDim())).log());
  }

  @Override
  public Shape batchShape() {
    int[] sizes = logProbabilities.shape().toArray();
    return Shape.of(Arrays.copyOf(sizes, sizes.length - 1));
  }

  /// The probability of each class.
  public Tensor probabilities() {
    return logProbabilities.exp();
  }

  /// Int64 numbers of classes.
  @Override
  public Tensor sample(RandomGenerator random) {
    double[] probabilities = logProbabilities.detach().exp().to(DType.FLOAT64).doubles();
    int classes = logProbabilities.shape().size(-1);
    long[] chosen = new long[batchShape().elements()];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = choose(probabilities, i * classes, classes, random.nextDouble());
    }
    return Tensor.ofStorage(batchShape(), chosen);
  }

  /// The class in whose part of the line from 0 to 1 the point lies.
  private static int choose(double[] probabilities, int start, int classes, double point) {
    double sum = 0;
    int last = 0;
    for (int each = 0; each < classes; each++) {
      double probability = probabilities[start + each];
      sum += probability;
      // Rounding may leave the sum below the point: the last class that is possible then.
      last = probability > 0 ? each : last;
      if (point < sum) {
        return each;
      }
    }
    return last;
  }

  /// @param value int64 numbers of classes, of the shape of the batch
  /// @throws IllegalArgumentException if a number is none of a class
  @Override
  public Tensor logProbability(Tensor value) {
    return logProbabilities.gather(-1, value.unsqueeze(-1)).squeeze(-1);
  }

  @Override
  public Tensor entropy() {
    // An impossible outcome adds nothing: its logarithm, infinite, must not meet its 0.
    double least = -Float.MAX_VALUE;
    Tensor finite = logProbabilities.clamp(least, 0);
    return finite.mul(probabilities()).sumOver(Axes.of(-1)).neg();
  }
}
