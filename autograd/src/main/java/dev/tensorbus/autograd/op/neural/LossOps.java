// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.FusedForward;
import dev.tensorbus.autograd.op.ValuesAt;
import dev.tensorbus.autograd.op.layout.IndexOps;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Losses of batches whose rows have one label each.
public final class LossOps {
  private LossOps() {}

  /// See [dev.tensorbus.nn.functional.Losses#nllLoss].
  public static Tensor nllLoss(Tensor logProbabilities, Tensor labels) {
    requireFit("nllLoss", logProbabilities, labels);
    return new NllLoss().apply(logProbabilities, labels);
  }

  /// See [dev.tensorbus.nn.functional.Losses#crossEntropy].
  public static Tensor crossEntropy(Tensor logits, Tensor labels) {
    requireFit("crossEntropy", logits, labels);
    boolean isLearning = logits.requiresGrad() && !NoGrad.isOn();
    return new CrossEntropy(isLearning).apply(logits, labels);
  }

  /// Checks that there is a class index for each row.
  private static void requireFit(String loss, Tensor rows, Tensor labels) {
    Shape shape = rows.shape();
    if (shape.rank() != 2) {
      throw new ShapeException(loss, shape + " is not [samples, classes]");
    }
    int samples = shape.size(0);
    if (!labels.shape().equals(Shape.of(samples)) || samples == 0) {
      throw new ShapeException(loss, shape + " does not fit labels " + labels.shape());
    }
    Compute.requireFloating(loss, rows);
    if (labels.dtype() != DType.INT64) {
      throw new IllegalArgumentException(
          "%s: the labels are %s; convert them with to(DType.INT64)"
              .formatted(loss, labels.dtype()));
    }
    long[] numbers = labels.longs();
    for (int sample = 0; sample < samples; sample++) {
      if (numbers[sample] < 0 || numbers[sample] >= shape.size(1)) {
        throw new IllegalArgumentException(
            "%s: label %d of sample %d is not in [0, %d)"
                .formatted(loss, numbers[sample], sample, shape.size(1)));
      }
    }
  }

  /// Returns, for each row, the offset of the value at its label.
  private static int[] positions(Tensor rows, Tensor labels) {
    long[] numbers = labels.longs();
    int[] positions = new int[numbers.length];
    for (int sample = 0; sample < positions.length; sample++) {
      positions[sample] = sample * rows.shape().size(1) + (int) numbers[sample];
    }
    return positions;
  }

  /// The inputs are the log-probabilities and the labels.
  private record NllLoss() implements FusedForward {
    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("NegativeLogLikelihoodLoss").of(inputs[0], inputs[1]);
    }

    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = positions(x, inputs[1]);
      double mean = -sumAt(x, positions) / positions.length;
      return new Result(
          Tensor.full(Shape.SCALAR, x.dtype(), mean),
          new NllLoss.Saved(x.shape(), inputs[1], positions));
    }

    private record Saved(Shape shape, Tensor labels, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {ofLabels(gradient, labels, shape), null};
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        Tensor shares = shares(gradient, positions);
        return new Tensor[] {ValuesAt.add(positions, shares, shape), null};
      }
    }
  }

  private static double sumAt(Tensor x, int[] positions) {
    Tensor taken = ValuesAt.taken(x, positions, Shape.of(positions.length));
    return Compute.kernels(x).sum(array(taken));
  }

  /// Returns a tensor of the given shape with the gradients of the values at the labels and zeros
  /// elsewhere. It is computed by operations, which are recorded.
  private static Tensor ofLabels(Tensor gradient, Tensor labels, Shape shape) {
    int samples = shape.size(0);
    Tensor shares = gradient.scale(-1.0 / samples).expand(samples, 1);
    return IndexOps.scattered(shape, 1, labels.unsqueeze(1), shares);
  }

  /// Returns the gradient of the value at each label.
  private static Tensor shares(Tensor gradient, int[] positions) {
    double each = -gradient.itemDouble() / positions.length;
    return Tensor.full(Shape.of(positions.length), gradient.dtype(), each);
  }

  /// Computes `nllLoss` of `logSoftmax` without an array of all log-probabilities. The inputs are
  /// the logits and the labels.
  ///
  /// @param isLearning whether a backward pass is likely; if so, the softmax of each row is saved,
  ///     since it is available once the row has been summed
  private record CrossEntropy(boolean isLearning) implements FusedForward {
    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("SoftmaxCrossEntropyLoss").of(inputs[0], inputs[1]);
    }

    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = positions(x, inputs[1]);
      double[] logSums = new double[positions.length];
      AtomicReference<@Nullable Tensor> kept = new AtomicReference<>();
      if (isLearning) {
        kept.set(softmaxShares(x, logSums));
      } else {
        Compute.kernels(x).logSumExp(array(x), x.shape().size(1), logSums);
      }
      // Subtracts row by row: a difference of sums would lose precision for large logits.
      double sum = 0;
      for (int sample = 0; sample < logSums.length; sample++) {
        sum += logSums[sample] - valueAt(x, positions[sample]);
      }
      return new Result(
          Tensor.full(Shape.SCALAR, x.dtype(), sum / positions.length),
          new CrossEntropy.Saved(x, inputs[1], positions, kept));
    }

    private static double valueAt(Tensor x, int position) {
      return x.dtype() == DType.FLOAT32 ? x.values()[position] : x.doubles()[position];
    }

    /// Returns the softmax of each row, divided by the number of rows.
    private static Tensor softmaxShares(Tensor x, double[] logSums) {
      int columns = x.shape().size(1);
      double share = 1.0 / x.shape().size(0);
      return Compute.result(
          x, x.shape(), (k, y) -> k.scaledSoftmax(array(x), columns, share, y, logSums));
    }

    /// The gradient: the softmax of each row minus 1 at its label, divided by the number of rows.
    ///
    /// @param kept the softmax from the forward pass, until a backward pass reuses its array for
    ///     the gradient
    private record Saved(
        Tensor x, Tensor labels, int[] positions, AtomicReference<@Nullable Tensor> kept)
        implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor ofMean = x.softmax(1).mul(gradient.scale(1.0 / positions.length));
        return new Tensor[] {ofMean.add(ofLabels(gradient, labels, x.shape())), null};
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        Tensor first = kept.getAndSet(null);
        Tensor ofMean = first == null ? softmaxShares(x, new double[positions.length]) : first;
        double factor = gradient.itemDouble();
        Tensor dx = factor == 1 ? ofMean : ofMean.scale(factor);
        Tensor labels = shares(gradient, positions);
        Compute.kernels(x).addAt(positions, array(labels), array(dx));
        return new Tensor[] {dx, null};
      }
    }
  }
}
