// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Nodes;
import org.jspecify.annotations.Nullable;

/// How far a batch of rows is from the labels that were wanted.
public final class LossOps {
  private LossOps() {}

  /// See [dev.tensorbus.autograd.Losses#nllLoss].
  public static Tensor nllLoss(Tensor logProbabilities, int[] labels) {
    Tensor wanted = labels("nllLoss", logProbabilities, labels);
    return new NllLoss().apply(logProbabilities, wanted);
  }

  /// See [dev.tensorbus.autograd.Losses#crossEntropy].
  public static Tensor crossEntropy(Tensor logits, int[] labels) {
    return new CrossEntropy().apply(logits, labels("crossEntropy", logits, labels));
  }

  /// A label for each row.
  private static Tensor labels(String loss, Tensor rows, int[] labels) {
    Shape shape = rows.shape();
    if (shape.rank() != 2) {
      throw new ShapeException(loss, shape + " is not [samples, classes]");
    }
    if (shape.size(0) != labels.length || labels.length == 0) {
      throw new ShapeException(loss, shape + " does not fit " + labels.length + " labels");
    }
    Compute.requireFloating(loss, rows);
    int classes = shape.size(1);
    long[] numbers = new long[labels.length];
    for (int sample = 0; sample < labels.length; sample++) {
      if (labels[sample] < 0 || labels[sample] >= classes) {
        throw new IllegalArgumentException(
            "%s: label %d of sample %d is not in [0, %d)"
                .formatted(loss, labels[sample], sample, classes));
      }
      numbers[sample] = labels[sample];
    }
    return Tensor.ofLongs(numbers);
  }

  /// Where in the storage of rows the value of each one's label lies.
  private static int[] positions(Tensor rows, Tensor labels) {
    long[] numbers = labels.longs();
    int[] positions = new int[numbers.length];
    for (int sample = 0; sample < positions.length; sample++) {
      positions[sample] = sample * rows.shape().size(1) + (int) numbers[sample];
    }
    return positions;
  }

  /// Its inputs are the log-probabilities and the labels.
  private record NllLoss() implements TwofoldOperation {
    @Override
    public String onnx(Nodes nodes) {
      return nodes.add("NegativeLogLikelihoodLoss", nodes.x(), nodes.input(1));
    }

    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = positions(x, inputs[1]);
      double mean = -sumAt(x, positions) / positions.length;
      return new Result(
          Tensor.full(Shape.SCALAR, x.dtype(), mean), new NllLoss.Saved(x.shape(), positions));
    }

    private record Saved(Shape shape, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor shares = shares(gradient, positions);
        return new Tensor[] {IndexOps.addedAt(positions, shares, shape), null};
      }
    }
  }

  private static double sumAt(Tensor x, int[] positions) {
    Tensor taken = IndexOps.taken(x, positions, Shape.of(positions.length));
    return Compute.kernels(x).sum(taken.storage());
  }

  /// What each label adds to the gradient of the mean.
  private static Tensor shares(Tensor gradient, int[] positions) {
    double each = -gradient.itemDouble() / positions.length;
    return Tensor.full(Shape.of(positions.length), gradient.dtype(), each);
  }

  /// `nllLoss` of `logSoftmax`, without an array of all the log-probabilities. Its inputs are the
  /// scores and the labels.
  private record CrossEntropy() implements TwofoldOperation {
    @Override
    public String onnx(Nodes nodes) {
      return nodes.add("SoftmaxCrossEntropyLoss", nodes.x(), nodes.input(1));
    }

    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = positions(x, inputs[1]);
      int columns = x.shape().size(1);
      Tensor logSums =
          Compute.result(
              x, Shape.of(positions.length), (k, sums) -> k.logSumExp(x.storage(), columns, sums));
      double sum = Compute.kernels(x).sum(logSums.storage()) - sumAt(x, positions);
      return new Result(
          Tensor.full(Shape.SCALAR, x.dtype(), sum / positions.length),
          new CrossEntropy.Saved(x, logSums, positions));
    }

    /// The share of each row in the mean times its softmax, less one at the label.
    private record Saved(Tensor x, Tensor logSums, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        double share = gradient.itemDouble() / positions.length;
        Tensor labels = shares(gradient, positions);
        return new Tensor[] {
          Compute.result(
              x,
              x.shape(),
              (k, dx) -> {
                k.expShifted(x.storage(), logSums.storage(), share, dx);
                k.addAt(positions, labels.storage(), dx);
              }),
          null
        };
      }
    }
  }
}
