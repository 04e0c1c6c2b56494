// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.nn.functional.Losses;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class TensorTest {
  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void gradientsAddUpOverUsesAndPasses() {
    Tensor x = parameter(3f);
    x.mul(x).sum().backward();
    assertThat(gradient(x)).containsExactly(6f);
    x.scale(2f).sum().backward();
    assertThat(gradient(x)).containsExactly(8f);
    x.zeroGrad();
    assertThat(x.grad()).isNull();
  }

  @Test
  void aGraphKeepsTheVersionsThatItSaw() {
    Tensor x = parameter(3f);
    Tensor y = x.mul(x).sum();
    x.update(values -> new float[] {5f});
    y.backward();
    assertThat(gradient(x)).containsExactly(6f);
    assertThat(x.values()).containsExactly(5f);
  }

  @Test
  void gatherTakesValuesAlongEachAxisHoweverManyRowsThereAre() {
    SplittableRandom random = new SplittableRandom(1);
    for (int[] sizes : new int[][] {{2500}, {3, 700}, {900, 3}, {5, 40, 17}, {0, 3}, {3, 0}}) {
      Shape shape = Shape.of(sizes);
      Tensor x = Tensor.randn(random, sizes);
      for (int axis = 0; axis < sizes.length; axis++) {
        int size = Math.max(1, sizes[axis]);
        Tensor index = Tensor.of(shape, random.longs(shape.elements(), 0, size).toArray());
        float[] expected = gathered(shape, axis, x.values(), index.longs());
        assertThat(x.gather(axis, index).values()).containsExactly(expected);
        assertThat(x.to(DType.FLOAT64).gather(axis, index).to(DType.FLOAT32).values())
            .containsExactly(expected);
      }
    }
  }

  private static float[] gathered(Shape shape, int axis, float[] x, long[] index) {
    int step = Shape.of(Arrays.copyOfRange(shape.toArray(), axis + 1, shape.rank())).elements();
    float[] values = new float[x.length];
    for (int i = 0; i < values.length; i++) {
      int place = i / step % shape.size(axis);
      values[i] = x[i + ((int) index[i] - place) * step];
    }
    return values;
  }

  @Test
  void aChainOfHundredThousandOperationsDoesNotOverflowTheStack() {
    Tensor x = parameter(1f);
    Tensor y = x;
    for (int i = 0; i < 100_000; i++) {
      y = y.scale(1f);
    }
    y.sum().backward();
    assertThat(gradient(x)).containsExactly(1f);
  }

  @Test
  void nothingIsRecordedUnderNoGrad() {
    Tensor x = parameter(2f);
    Tensor y = NoGrad.call(() -> x.mul(x).sum());
    assertThat(y.requiresGrad()).isFalse();
    refused(
        y::backward,
        "backward: neither this tensor nor any that it was computed from requires a gradient;"
            + " results of remote calls require one only in a DistAutograd.context, and gradients"
            + " only after a pass with createGraph");
  }

  @Test
  void gradientsHaveNoGradientsOfTheirOwn() {
    Tensor x = parameter(2f);
    x.mul(x).sum().backward();
    assertThat(Objects.requireNonNull(x.grad()).requiresGrad()).isFalse();
  }

  @Test
  void noGradientIsComputedForWhatNeedsNone() {
    Tensor x = Tensor.of(1f, 2f);
    Tensor w = parameter(3f, 4f);
    x.mul(w).sum().backward();
    assertThat(x.grad()).isNull();
    assertThat(gradient(w)).containsExactly(1f, 2f);
  }

  @Test
  void onlyLeavesAreUpdated() {
    Tensor y = parameter(2f).scale(2f);
    refused(
        () -> y.update(values -> values),
        "update: scale computed this tensor; only the values of a leaf can be replaced");
  }

  @Test
  void argmaxTakesTheFirstOfEqualValues() {
    Tensor x = Tensor.of(Shape.of(3, 3), new float[] {1, 3, 2, 5, 5, 0, 0, Float.NaN, 9});
    assertThat(x.argmax(1).longs()).containsExactly(1, 0, 1);
  }

  @Test
  void logSoftmaxOfGreatValuesDoesNotOverflow() {
    assertThat(Tensor.of(1000f, 0f).logSoftmax(0).values()).containsExactly(0f, -1000f);
    Tensor great = Tensor.of(Shape.of(1, 2), new float[] {1000f, 0f});
    assertThat(Losses.crossEntropy(great, Tensor.ofLongs(1)).item()).isEqualTo(1000f);
  }

  @Test
  void dropoutKeepsTheMeanAndDropsTheShareItIsToldTo() {
    Tensor x = Tensor.ones(100_000);
    float[] values = x.dropout(0.25f, random).values();
    int dropped = 0;
    for (float value : values) {
      assertThat(value).isIn(0f, 1 / 0.75f);
      dropped += value == 0 ? 1 : 0;
    }
    assertThat(dropped).isBetween(24_500, 25_500);
  }

  @Test
  void dropoutOfEqualGeneratorsIsEqualAndOfOneGeneratorDiffers() {
    Tensor x = Tensor.randn(random, 100);
    SplittableRandom generator = new SplittableRandom(7);
    float[] first = x.dropout(0.5f, generator).values();
    assertThat(x.dropout(0.5f, new SplittableRandom(7)).values()).containsExactly(first);
    assertThat(x.dropout(0.5f, generator).values()).isNotEqualTo(first);
  }

  @Test
  void dropout2dDropsWholeChannels() {
    float[] values = Tensor.ones(8, 16, 3, 3).dropout2d(0.5f, random).values();
    for (int i = 0; i < values.length; i++) {
      assertThat(values[i]).isEqualTo(values[i / 9 * 9]).isIn(0f, 2f);
    }
    assertThat(values).contains(0f).contains(2f);
  }

  @Test
  void dropoutOfNothingChangesNothing() {
    Tensor x = Tensor.randn(random, 100);
    assertThat(x.dropout(0f, random).values()).containsExactly(x.values());
  }

  @Test
  void shapesThatDoNotFitAreRefused() {
    Tensor x = Tensor.zeros(2, 3);
    Tensor images = Tensor.zeros(1, 2, 5, 5);
    Tensor filters = Tensor.zeros(4, 2, 3, 3);
    refused(
        () -> x.matmul(Tensor.zeros(4, 5)),
        "matmul: [2, 3] cannot multiply [4, 5]: inner sizes 3 and 4 differ");
    refused(
        () -> x.matmul(Tensor.zeros(4)),
        "matmul: [2, 3] cannot multiply [4]: inner sizes 3 and 4 differ");
    refused(
        () -> x.add(Tensor.zeros(2)),
        "add: [2, 3] and [2] do not fit: sizes 3 and 2 on axis -1 must be equal, or one of them 1");
    refused(
        () -> x.mul(Tensor.zeros(3, 3)),
        "mul: [2, 3] and [3, 3] do not fit: sizes 2 and 3 on axis -2 must be equal, or one of them"
            + " 1");
    refused(() -> x.reshape(4, 2), "reshape: [2, 3] holds 6 values, [4, 2] needs 8");
    refused(
        () -> x.reshape(-1, 4), "reshape: [2, 3] holds 6 values, [-1, 4] needs a multiple of 4");
    refused(() -> x.flatten(2), "flatten: [2, 3] has no axis 2; its axes are -2 to 1");
    refused(() -> x.logSoftmax(-3), "logSoftmax: [2, 3] has no axis -3; its axes are -2 to 1");
    refused(
        () -> x.indexSelect(1, Tensor.ofBooleans(true, false)),
        "indexSelect: mask is [2]; axis 1 of [2, 3] has size 3");
    refused(() -> Tensor.zeros(2, 0).min(), "min: [2, 0] has no values");
    refused(() -> x.sum(0, 2), "sum: [2, 3] has no axis 2; its axes are -2 to 1");
    refused(() -> Tensor.zeros(2, 0).max(1), "max: [2, 0] has no values along the axes [1]");
    refused(
        () -> Losses.mseLoss(x, Tensor.zeros(3)),
        "mseLoss: the shapes of predicted [2, 3] and wanted [3] differ");
    refused(() -> x.permute(0, 0), "permute: [0, 0] does not name each axis of [2, 3] once");
    refused(
        () -> x.expand(3, 3),
        "expand: [2, 3] and [3, 3] do not fit: sizes 2 and 3 on axis -2 must be equal, or one of"
            + " them 1");
    refused(() -> x.slice(1, 2, 4), "slice: [2, 4) is not within axis 1 of [2, 3]");
    refused(() -> x.select(0, 2), "select: index 2 is out of bounds for axis 0 of [2, 3]");
    refused(
        () -> Tensor.concatenate(List.of(x, Tensor.zeros(3, 3)), 1),
        "concatenate: [2, 3] and [3, 3] differ in axes other than 1");
    refused(() -> x.indexSelect(0, Tensor.ofLongs(0, 2)), "indexSelect: index 2 is not in [0, 2)");
    refused(
        () -> x.indexSelect(0, Tensor.of(0)),
        "indexSelect: the index is float32; convert it with to(DType.INT64)");
    refused(
        () -> x.where(x, x),
        "where: requires a bool mask, not float32; compare, or to(DType.BOOL)");
    refused(() -> Tensor.zeros(0, 3).mean(), "mean: [0, 3] has no values");
    refused(
        () -> x.linear(Tensor.zeros(5, 4), Tensor.zeros(5)),
        "linear: [2, 3] does not fit weight [5, 4]: 3 inputs, 4 expected");
    refused(
        () -> x.linear(Tensor.zeros(5, 3), Tensor.zeros(3)),
        "linear: bias [3] does not fit weight [5, 3]");
    refused(
        () -> images.conv2d(Tensor.zeros(4, 1, 3, 3), Tensor.zeros(4)),
        "conv2d: [1, 2, 5, 5] does not fit weight [4, 1, 3, 3]: 2 channels, 1 expected");
    refused(
        () -> images.conv2d(Tensor.zeros(4, 2, 6, 3), Tensor.zeros(4)),
        "conv2d: [1, 2, 5, 5] is smaller than a filter of [4, 2, 6, 3]");
    refused(
        () -> images.conv2d(filters, Tensor.zeros(2)),
        "conv2d: bias [2] does not fit weight [4, 2, 3, 3]");
    refused(
        () -> x.conv2d(filters, Tensor.zeros(4)), "conv2d: images [2, 3] have 2 axes, not four");
    refused(() -> x.maxPool2d(2), "maxPool2d: [2, 3] has 2 axes, not four");
    refused(() -> images.maxPool2d(6), "maxPool2d: a window of 6 does not fit [1, 2, 5, 5]");
    refused(() -> x.dropout2d(0.5f, random), "dropout2d: [2, 3] has 2 axes, not 4");
    refused(
        x::backward,
        "backward: neither this tensor nor any that it was computed from requires a gradient;"
            + " results of remote calls require one only in a DistAutograd.context, and gradients"
            + " only after a pass with createGraph");
    refused(
        parameter(1f, 2f)::backward,
        "backward: [2] is not a single value; pass the gradient to start from");
  }

  @Test
  void anArrayKeepsItsType() {
    assertThat(Tensor.of(new long[] {1, 1L << 60}).longs()).containsExactly(1, 1L << 60);
    assertThat(Tensor.of(new double[] {0.1}).doubles()).containsExactly(0.1);
    assertThat(Tensor.of(new boolean[] {true, false}).dtype()).isEqualTo(DType.BOOL);
    assertThat(Tensor.of(1, 2).dtype()).isEqualTo(DType.FLOAT32);
  }

  @Test
  void valuesThatDoNotFitAreRefused() {
    refused(() -> Tensor.zeros(1).dropout(1f, random), "dropout: probability 1.0 is not in [0, 1)");
    refused(
        () -> Losses.nllLoss(Tensor.zeros(2, 10), Tensor.ofLongs(3, 10)),
        "nllLoss: label 10 of sample 1 is not in [0, 10)");
    refused(
        () -> Losses.nllLoss(Tensor.zeros(2, 10), Tensor.ofLongs(3)),
        "nllLoss: [2, 10] does not fit labels [1]");
    refused(
        () -> Losses.crossEntropy(Tensor.zeros(2, 10), Tensor.of(3, 1)),
        "crossEntropy: the labels are float32; convert them with to(DType.INT64)");
    refused(
        () -> Losses.crossEntropy(Tensor.zeros(10), Tensor.ofLongs(3)),
        "crossEntropy: [10] is not [samples, classes]");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(RuntimeException.class).hasMessage(message);
  }

  private static Tensor parameter(float... values) {
    return Tensor.parameter(Shape.of(values.length), values);
  }

  private static float[] gradient(Tensor x) {
    return Objects.requireNonNull(x.grad()).values();
  }
}
