// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The wanted classes and their weights.
///
/// @param numbers the class indices, `[n, 1, …]`; 0 for ignored labels
/// @param ignored whether each label is ignored, `[n, …]`
/// @param weights the weight of each label, `[n, …]`; 0 for ignored labels
record Labels(Tensor numbers, Tensor ignored, Tensor weights) {
  /// Checks labels `[n, …]` against values `[n, classes, …]` and finds their weights.
  ///
  /// @param loss the name of the loss, for error messages
  static Labels of(
      String loss, Tensor values, Tensor labels, @Nullable Tensor weight, long ignoreIndex) {
    requireFit(loss, values.shape(), labels, weight);
    int classes = values.shape().size(1);
    long[] numbers = labels.longs();
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != ignoreIndex && (numbers[i] < 0 || numbers[i] >= classes)) {
        throw new IllegalArgumentException(
            ("%s: label %d at index %s is not in [0, %d); expected a class index, or %d, which"
                    + " is ignored")
                .formatted(loss, numbers[i], index(i, labels.shape()), classes, ignoreIndex));
      }
    }
    Tensor unwanted = labels.eq(Tensor.scalar(ignoreIndex));
    Tensor wanted = labels.to(DType.FLOAT64).maskedFill(unwanted, 0).to(DType.INT64);
    Tensor weights =
        weight == null
            ? Tensor.full(labels.shape(), values.dtype(), 1)
            : weight
                .to(values.dtype())
                .indexSelect(0, wanted.reshape(-1))
                .reshape(labels.shape().toArray());
    return new Labels(wanted.unsqueeze(1), unwanted, weights.maskedFill(unwanted, 0));
  }

  /// Returns the sum of the weights of the labels that are not ignored.
  static double weight(Tensor labels, @Nullable Tensor weight, long ignoreIndex) {
    double[] weights = weight == null ? null : weight.to(DType.FLOAT64).doubles();
    double sum = 0;
    for (long label : labels.longs()) {
      if (label != ignoreIndex) {
        sum += weights == null ? 1 : weights[classOf(label, weights.length)];
      }
    }
    return sum;
  }

  private static int classOf(long label, int classes) {
    if (label < 0 || label >= classes) {
      throw new IllegalArgumentException(
          "loss: label %d is not a class index from 0 to %d".formatted(label, classes - 1));
    }
    return (int) label;
  }

  /// Formats the index of a value: `3`, or `[1, 0]` for several axes.
  private static String index(int position, Shape shape) {
    int[] index = shape.toArray();
    int rest = position;
    for (int axis = index.length - 1; axis >= 0; axis--) {
      int size = index[axis];
      index[axis] = rest % size;
      rest /= size;
    }
    return index.length == 1 ? Integer.toString(position) : Arrays.toString(index);
  }

  private static void requireFit(
      String loss, Shape values, Tensor labels, @Nullable Tensor weight) {
    int[] sizes = labels.shape().toArray();
    boolean fits = values.rank() == sizes.length + 1 && sizes.length > 0;
    for (int axis = 0; fits && axis < sizes.length; axis++) {
      fits = sizes[axis] == values.size(axis == 0 ? 0 : axis + 1);
    }
    if (!fits) {
      throw new ShapeException(
          loss,
          "labels %s do not fit values %s; expected values [n, classes, …] and labels [n, …]"
              .formatted(labels.shape(), values));
    }
    if (weight != null && !weight.shape().equals(Shape.of(values.size(1)))) {
      throw new ShapeException(
          loss, "weight %s does not fit %d classes".formatted(weight.shape(), values.size(1)));
    }
  }

  /// Returns the negative log-probability of each label, times its weight.
  Tensor losses(Tensor logProbabilities) {
    Tensor chosen = logProbabilities.gather(1, numbers).squeeze(1);
    // The zeros are filled in last: the loss of an ignored label may be infinite, and infinity
    // times 0 is NaN.
    Tensor nothing = weights.eq(Tensor.full(Shape.SCALAR, weights.dtype(), 0));
    return chosen.mul(weights).neg().maskedFill(nothing, 0);
  }
}
