// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.attention.DropoutFactors;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// Operations that draw random numbers: normal values, and dropout, which scales the remaining
/// values so that the mean is unchanged (Srivastava et al., "Dropout", 2014).
public final class RandomOps {
  /// The lower limit of SELU: the product of its two constants.
  private static final double SELU_LIMIT = -1.7580993408473766;

  private RandomOps() {}

  /// See [Tensor#randn].
  public static Tensor randn(RandomGenerator random, Shape shape) {
    float[] values = new float[shape.elements()];
    Kernels.best().normal(random.nextLong(), values);
    return Tensor.of(shape, values);
  }

  /// See [Tensor#dropout].
  public static Tensor dropout(Tensor x, float probability, RandomGenerator random) {
    requireProbability("dropout", probability);
    Compute.requireFloating("dropout", x);
    return dropped(x, x.shape().elements(), probability, random);
  }

  /// @param rows the number of equal slices of the input, each of which is kept or dropped as a
  ///     whole
  private static Tensor dropped(Tensor x, int rows, float probability, RandomGenerator random) {
    if (probability == 0) {
      return x;
    }
    float present = 1f / (1f - probability);
    Tensor factors =
        Trace.drawn(probability, () -> factors(rows, probability, present, random).to(x.dtype()));
    return new Dropout(Shape.of(rows)).apply(x, factors);
  }

  private static Tensor factors(
      int rows, float probability, float present, RandomGenerator random) {
    float[] factors = new float[rows];
    new DropoutFactors(probability, present, random.nextLong()).fill(factors, 0, rows, 0);
    return Tensor.of(factors);
  }

  /// See [Tensor#dropout2d] and its variants: keeps or drops each channel of `[n, c, …]` as a
  /// whole.
  public static Tensor dropoutChannels(
      String operation, int rank, Tensor x, float probability, RandomGenerator random) {
    requireProbability(operation, probability);
    Compute.requireFloating(operation, x);
    return dropped(x, channels(operation, rank, x.shape()), probability, random);
  }

  /// Returns the number of channels of `[n, c, …]`, over all examples.
  private static int channels(String operation, int rank, Shape shape) {
    if (shape.rank() != rank) {
      throw new ShapeException(
          operation, "%s has %d axes, not %d".formatted(shape, shape.rank(), rank));
    }
    return shape.size(0) * shape.size(1);
  }

  /// See [dev.tensorbus.nn.functional.Dropouts#alphaDropout].
  public static Tensor alphaDropout(Tensor x, float probability, RandomGenerator random) {
    requireProbability("alphaDropout", probability);
    Compute.requireFloating("alphaDropout", x);
    return alpha(x, x.shape(), probability, random);
  }

  /// See [dev.tensorbus.nn.functional.Dropouts#featureAlphaDropout].
  public static Tensor featureAlphaDropout(Tensor x, float probability, RandomGenerator random) {
    requireProbability("featureAlphaDropout", probability);
    Compute.requireFloating("featureAlphaDropout", x);
    int[] sizes = x.shape().toArray();
    if (sizes.length < 2) {
      throw new ShapeException("featureAlphaDropout", x.shape() + " is not [n, c, …]");
    }
    Arrays.fill(sizes, 2, sizes.length, 1);
    return alpha(x, Shape.of(sizes), probability, random);
  }

  /// Computes alpha dropout (Klambauer et al., "Self-Normalizing Neural Networks", 2017, section
  /// "New Dropout Technique"). Dropped values become SELU's lower limit; then all values are scaled
  /// and shifted so that mean 0 and variance 1 are preserved.
  ///
  /// @param choices the shape of the mask; 1 along axes whose values are kept or dropped together
  private static Tensor alpha(Tensor x, Shape choices, float probability, RandomGenerator random) {
    if (probability == 0) {
      return x;
    }
    double p = probability;
    double scale = 1 / Math.sqrt((1 - p) * (1 + p * SELU_LIMIT * SELU_LIMIT));
    Tensor mask =
        Trace.drawn(
            probability,
            () -> {
              Tensor kept = factors(choices.elements(), probability, 1f, random);
              return kept.to(x.dtype()).sharedAs(choices);
            });
    Tensor one = Tensor.full(Shape.SCALAR, x.dtype(), 1);
    Tensor shift = one.sub(mask).scale(SELU_LIMIT).sub(one.scale(SELU_LIMIT * p)).scale(scale);
    return x.mul(mask.scale(scale)).add(shift);
  }

  static void requireProbability(String operation, float probability) {
    if (!(probability >= 0f && probability < 1f)) {
      throw new IllegalArgumentException(
          operation + ": probability " + probability + " is not in [0, 1)");
    }
  }

  /// The inputs are the values and one factor for each of their equal slices.
  private record Dropout(Shape parts) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Object x = array(inputs[0]);
      Object factors = array(inputs[1]);
      return Compute.result(inputs[0], inputs[0].shape(), (k, y) -> k.scaleRows(x, factors, y));
    }

    @Override
    public Derivative derivative(Application of) {
      Tensor factors = of.input(1);
      return (gradient, needed) -> new Tensor[] {inBackward(gradient, factors), null};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      Shape whole = inputs[0].shape();
      int rows = parts.elements();
      int size = rows == 0 ? 0 : whole.elements() / rows;
      OnnxValue x = inputs[0].reshaped(Shape.of(rows, size));
      OnnxValue factors = inputs[1].reshaped(Shape.of(rows, 1));
      return operator("Mul").of(x, factors).reshaped(whole);
    }
  }
}
