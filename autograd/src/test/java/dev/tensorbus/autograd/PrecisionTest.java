// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.graph.GradientCheck;
import dev.tensorbus.nn.functional.Convolutions;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.functional.Normalizations;
import dev.tensorbus.nn.loss.BceWithLogitsLoss;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.LossReduction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Corners at which a plain formula loses digits, over random shapes and scales, against formulas
/// in a wider type. `-Dseed=` repeats a run.
class PrecisionTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int CASES = 200;

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void varianceAndDeviationKeepTheirDigitsBesideALargeMean() {
    for (int i = 0; i < CASES; i++) {
      int rows = random.nextInt(1, 5);
      int columns = random.nextInt(2, 300);
      double mean = Math.pow(10, random.nextInt(0, 7)) * (random.nextDouble() - 0.5);
      Tensor x = shifted(Shape.of(rows, columns), mean);
      int correction = random.nextInt(2);
      for (int[] axes : new int[][] {{1}, {0, 1}, {-1}, {}}) {
        String what = "%s, mean %s, -Dseed=%d".formatted(x.shape(), mean, SEED);
        double[] expected = variances(x, axes, correction);
        double[] variances = doubles(x.varWithCorrection(correction, axes));
        double[] wide = x.to(DType.FLOAT64).varWithCorrection(correction, axes).doubles();
        double[] deviations = doubles(x.stdWithCorrection(correction, axes));
        for (int j = 0; j < expected.length; j++) {
          assertClose(what, variances[j], expected[j], 2e-7);
          assertClose(what, wide[j], expected[j], 1e-13);
          assertClose(what, deviations[j], Math.sqrt(expected[j]), 2e-7);
        }
      }
    }
  }

  /// Standard normal values about a mean, in float32.
  private Tensor shifted(Shape shape, double mean) {
    float[] values = new float[shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (mean + random.nextGaussian() * 0.01 * Math.max(1, Math.abs(mean) / 1e4));
    }
    return Tensor.of(shape, values);
  }

  /// Of rows, or of all values if the axes are both, in decimal numbers.
  private static double[] variances(Tensor x, int[] axes, int correction) {
    int columns = axes.length != 1 ? x.shape().elements() : x.shape().size(1);
    float[] values = x.values();
    return IntStream.range(0, values.length / columns)
        .mapToDouble(
            row ->
                variance(
                    Arrays.copyOfRange(values, row * columns, (row + 1) * columns), correction))
        .toArray();
  }

  private static double variance(float[] values, int correction) {
    MathContext digits = new MathContext(60);
    BigDecimal sum = BigDecimal.ZERO;
    for (float value : values) {
      sum = sum.add(new BigDecimal(value));
    }
    BigDecimal mean = sum.divide(new BigDecimal(values.length), digits);
    BigDecimal squares = BigDecimal.ZERO;
    for (float value : values) {
      BigDecimal deviation = new BigDecimal(value).subtract(mean);
      squares = squares.add(deviation.multiply(deviation, digits));
    }
    return squares.divide(new BigDecimal(values.length - correction), digits).doubleValue();
  }

  @Test
  void normalizedValuesKeepTheirDigitsBesideALargeMean() {
    for (int i = 0; i < CASES; i++) {
      int columns = random.nextInt(2, 300);
      Tensor x = shifted(Shape.of(2, columns), 1e6 * random.nextDouble());
      Tensor weight = Tensor.ones(columns);
      Tensor bias = Tensor.zeros(columns);
      double[] narrow = doubles(Normalizations.layerNorm(x, weight, bias, 0));
      double[] wide =
          Normalizations.layerNorm(
                  x.to(DType.FLOAT64), weight.to(DType.FLOAT64), bias.to(DType.FLOAT64), 0)
              .doubles();
      assertThat(narrow)
          .as("[2, %d], -Dseed=%d", columns, SEED)
          .containsExactly(wide, within(2e-5));
    }
  }

  @Test
  void gradientsOfVarianceAndDeviationAreThoseOfTheirValues() {
    GradientCheck check = new GradientCheck(random);
    for (int i = 0; i < 30; i++) {
      Tensor x = Tensor.randn(random, random.nextInt(2, 5), random.nextInt(2, 5), 3);
      int correction = random.nextInt(2);
      for (int[] axes : new int[][] {{0}, {1}, {0, 2}, {2, 1, 0}, {}}) {
        check.check(in -> in.varWithCorrection(correction, axes), x);
        check.check(in -> in.stdWithCorrection(correction, axes), x);
      }
    }
  }

  /// As torch 1.13 has them: `2 / (n - correction) * (x - mean)`, and 0 where the deviation is 0.
  @Test
  void gradientsOverOneValueAreThoseOfTorch() {
    for (DType type : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      Tensor one = Tensor.of(3, -4).reshape(2, 1).to(type);
      assertThat(gradient(x -> x.varWithCorrection(0, 1), one)).containsOnly(0);
      assertThat(gradient(x -> x.stdWithCorrection(0, 1), one)).containsOnly(0);
      assertThat(gradient(x -> x.varWithCorrection(2, 1), one)).containsOnly(0);
      assertThat(gradient(x -> x.var(1), one)).containsOnly(Double.NaN);
      assertThat(doubles(one.var(1))).containsOnly(Double.NaN);
      assertThat(doubles(one.std(1))).containsOnly(Double.NaN);
      assertThat(doubles(one.stdWithCorrection(0, 1))).containsOnly(0);
      Tensor equal = Tensor.full(Shape.of(2, 3), type, 0.1);
      assertThat(doubles(equal.std(1))).containsOnly(0);
      assertThat(gradient(x -> x.std(1), equal)).containsOnly(0);
    }
  }

  private static double[] gradient(UnaryOperator<Tensor> function, Tensor x) {
    Tensor leaf = Tensor.parameterOf(x);
    function.apply(leaf).sum().backward();
    // Adding 0 turns -0, as torch has it too, into 0.
    return Arrays.stream(doubles(Objects.requireNonNull(leaf.grad()))).map(g -> g + 0.0).toArray();
  }

  @Test
  void crossEntropiesKeepTheirDigitsBesideLargeScores() {
    for (int i = 0; i < CASES; i++) {
      int rows = i == 0 ? 33 : random.nextInt(1, 70);
      int classes = i == 0 ? 2 : random.nextInt(2, 40);
      double scale = Math.pow(10, random.nextInt(-1, 4));
      Tensor logits = Tensor.randn(random, rows, classes).scale(scale).add(scalar(10 * scale));
      int[] labels = random.ints(rows, 0, classes).toArray();
      int[] best = best(logits);
      for (int[] each : new int[][] {labels, best}) {
        String what = "%s times %s, -Dseed=%d".formatted(logits.shape(), scale, SEED);
        double expected = crossEntropy(logits, each);
        Tensor target = Tensor.of(IntStream.of(each).asLongStream().toArray());
        Tensor leaf = Tensor.parameterOf(logits);
        assertClose(
            what,
            Losses.crossEntropy(logits, target).itemDouble(),
            expected,
            scoreDigits(expected));
        assertClose(
            what, Losses.crossEntropy(leaf, target).itemDouble(), expected, scoreDigits(expected));
        Tensor wanted = Tensor.ofLongs(Arrays.stream(each).asLongStream().toArray());
        Tensor layered = new CrossEntropyLoss().forward(logits, wanted);
        assertClose(what, layered.itemDouble(), expected, scoreDigits(expected));
      }
    }
  }

  /// The logarithm of a sum of float32 numbers above 1.
  private static double scoreDigits(double expected) {
    return 3e-7 * Math.max(1, 1 / Math.max(Math.abs(expected), 1e-4));
  }

  private static Tensor scalar(double value) {
    return Tensor.scalar((float) value);
  }

  private static int[] best(Tensor logits) {
    return Arrays.stream(logits.argmax(1).longs()).mapToInt(Math::toIntExact).toArray();
  }

  /// The mean over the rows of `log(1 + sum of exp(others - greatest)) + greatest - wanted`.
  private static double crossEntropy(Tensor logits, int[] labels) {
    int classes = logits.shape().size(1);
    float[] x = logits.values();
    double sum = 0;
    for (int row = 0; row < labels.length; row++) {
      double[] scores =
          IntStream.range(row * classes, (row + 1) * classes).mapToDouble(j -> x[j]).toArray();
      double wanted = scores[labels[row]];
      Arrays.sort(scores);
      double greatest = scores[classes - 1];
      double others =
          IntStream.range(0, classes - 1).mapToDouble(j -> Math.exp(scores[j] - greatest)).sum();
      sum += Math.log1p(others) + (greatest - wanted);
    }
    return sum / labels.length;
  }

  @Test
  void binaryCrossEntropiesKeepTheirDigitsForAnyLogit() {
    for (int i = 0; i < CASES; i++) {
      int count = random.nextInt(1, 40);
      double[] logits = random.doubles(count, -1, 1).map(x -> x * x * x * 300).toArray();
      logits[0] = i % 3 == 0 ? 0 : logits[0];
      double[] wanted = random.doubles(count).map(y -> y < 0.3 ? 0 : y > 0.7 ? 1 : y).toArray();
      double positive = i % 2 == 0 ? 1 : 3 * random.nextDouble();
      BceWithLogitsLoss loss = new BceWithLogitsLoss().withReduction(LossReduction.NONE);
      if (positive != 1) {
        loss = loss.withPositiveWeight(Tensor.ofDoubles(positive));
      }
      Tensor leaf = Tensor.parameterOf(Tensor.ofDoubles(logits));
      Tensor losses = loss.forward(leaf, Tensor.ofDoubles(wanted));
      losses.sum().backward();
      double[] gradient = doubles(Objects.requireNonNull(leaf.grad()));
      for (int j = 0; j < count; j++) {
        double x = logits[j];
        double y = wanted[j];
        String what = "logit %s, wanted %s, weight %s, -Dseed=%d".formatted(x, y, positive, SEED);
        double fromYes = Math.log1p(Math.exp(-Math.abs(x))) + Math.max(0, -x);
        double fromNo = Math.log1p(Math.exp(-Math.abs(x))) + Math.max(0, x);
        double expected = positive * y * fromYes + (1 - y) * fromNo;
        assertThat(losses.doubles()[j]).as(what).isCloseTo(expected, relative(expected, 1e-14));
        double slope = (1 - y) / (1 + Math.exp(-x)) - positive * y / (1 + Math.exp(x));
        assertThat(gradient[j]).as(what).isCloseTo(slope, within(1e-14 * (1 + positive)));
      }
    }
  }

  private static Offset<Double> relative(double expected, double share) {
    return within(share * Math.abs(expected) + Double.MIN_NORMAL);
  }

  /// Sizes are torch's, and values those of the sum that defines the operation.
  @Test
  void transposedConvolutionsTakeAnOutputPaddingBelowTheStrideOrTheDilation() {
    for (int i = 0; i < CASES; i++) {
      int stride = random.nextInt(1, 4);
      int dilation = random.nextInt(1, 5);
      int more = random.nextInt(Math.max(stride, dilation));
      int kernel = random.nextInt(1, 4);
      int padding = random.nextInt((kernel - 1) * dilation + 1);
      int size = random.nextInt(1, 5);
      int length = (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1;
      if (length < 1) {
        continue;
      }
      String what =
          "size %d, kernel %d, stride %d, padding %d, dilation %d, output padding %d, -Dseed=%d"
              .formatted(size, kernel, stride, padding, dilation, more, SEED);
      Sliding sliding = Sliding.ONE.withStride(stride).withPadding(padding).withDilation(dilation);
      Tensor images = Tensor.randn(random, 1, 2, size, size);
      Tensor weight = Tensor.randn(random, 2, 1, kernel, kernel);
      UnaryOperator<Tensor> transposed =
          x ->
              Convolutions.convTranspose2d(
                  x, weight.to(x.dtype()), null, sliding, Sliding.Pair.of(more), 1);
      Tensor y = transposed.apply(images);
      assertThat(y.shape()).as(what).isEqualTo(Shape.of(1, 1, length, length));
      float[] expected = transposed(images, weight, sliding, length);
      assertThat(y.values()).as(what).containsExactly(expected, within(1e-4f));
      new GradientCheck(random).check(transposed, images);
    }
  }

  private static float[] transposed(Tensor images, Tensor weight, Sliding sliding, int length) {
    int size = images.shape().size(2);
    int kernel = weight.shape().size(2);
    float[] sums = new float[length * length];
    for (int term = 0; term < 2 * size * size * kernel * kernel; term++) {
      int v = term % kernel;
      int u = term / kernel % kernel;
      int j = term / kernel / kernel % size;
      int i = term / kernel / kernel / size % size;
      int channel = term / kernel / kernel / size / size;
      int row = at(i, u, sliding);
      int column = at(j, v, sliding);
      if (Math.min(row, column) >= 0 && Math.max(row, column) < length) {
        sums[row * length + column] +=
            images.values()[(channel * size + i) * size + j]
                * weight.values()[(channel * kernel + u) * kernel + v];
      }
    }
    return sums;
  }

  private static int at(int place, int of, Sliding sliding) {
    return place * sliding.stride().rows()
        - sliding.padding().rows()
        + of * sliding.dilation().rows();
  }

  private static double[] doubles(Tensor x) {
    return x.detach().to(DType.FLOAT64).doubles();
  }

  /// Relative to what is expected, but for numbers that are small beside 1.
  private static void assertClose(String what, double actual, double expected, double tolerance) {
    assertThat(actual)
        .as(what)
        .isCloseTo(expected, within(tolerance * Math.max(Math.abs(expected), 1e-4)));
  }
}
