// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// What becomes of values that are freed. Each test has a length of its own, since freed arrays
/// are for everyone.
final class FreeTest {
  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void whoAsksForFreedValuesHearsThatTheyWere() {
    Tensor x = Tensor.zeros(2, 3);
    x.free();
    assertThatThrownBy(x::values)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "tensor [2, 3] was freed, or another that shares its values;"
                + " free what nobody reads any more");
    assertThat(x).hasToString("Tensor[2, 3][freed]");
  }

  @Test
  void whatSharesTheValuesLosesThemToo() {
    Tensor x = Tensor.zeros(2, 3);
    Tensor flat = x.flatten(0);
    Tensor copy = x.add(x);
    x.detach().free();
    assertThatThrownBy(flat::values).hasMessageContaining("was freed");
    assertThatThrownBy(x::values).hasMessageContaining("was freed");
    assertThat(copy.values()).containsOnly(0f);
  }

  @Test
  void aParameterKeepsItsValuesWhenThoseBeforeAreFreed() {
    Tensor parameter = Tensor.parameter(Shape.of(2), new float[] {1, 2});
    Tensor before = parameter.detach();
    parameter.update(values -> new float[] {3, 4});
    before.free();
    assertThat(parameter.values()).containsExactly(3, 4);
  }

  @Test
  void rowsThatAreNotZeroAreFreedWithTheTensor() {
    Tensor values = Tensor.ones(1, 2);
    Tensor sparse = Tensor.ofRows(new SparseRows(Shape.of(3, 2), new int[] {1}, values));
    sparse.free();
    assertThatThrownBy(sparse::values).hasMessageContaining("tensor [3, 2] was freed");
    assertThat(sparse).hasToString("Tensor[3, 2][freed]");
    assertThatThrownBy(values::values).hasMessageContaining("was freed");
  }

  @Test
  void aLargeArrayIsUsedAgainOnceHoweverOftenItIsFreed() {
    int length = 100_001;
    Tensor x = Tensor.zeros(length);
    float[] array = x.values();
    x.free();
    x.free();
    assertThat(DType.FLOAT64.arrayToFill(length)).isNotSameAs(array);
    assertThat(DType.FLOAT32.arrayToFill(length)).isSameAs(array);
    assertThat(DType.FLOAT32.arrayToFill(length)).isNotSameAs(array);
  }

  @Test
  void theArrayFreedLastIsUsedFirst() {
    int length = 100_002;
    Tensor first = Tensor.zeros(length);
    Tensor second = Tensor.zeros(length);
    float[] former = first.values();
    float[] latter = second.values();
    first.free();
    second.free();
    assertThat(DType.FLOAT32.arrayToFill(length)).isSameAs(latter);
    assertThat(DType.FLOAT32.arrayToFill(length)).isSameAs(former);
  }

  @Test
  void resultsDoNotDependOnWhatAFreedArrayHeld() {
    Tensor a = Tensor.randn(random, 251, 11);
    Tensor b = Tensor.randn(random, 11, 257);
    Tensor bias = Tensor.randn(random, 257);
    Tensor images = Tensor.randn(random, 1, 3, 253, 259);
    Tensor filters = Tensor.randn(random, 1, 3, 3, 3);
    Tensor none = Tensor.zeros(1);
    Tensor large = a.matmul(b);
    requireSame(() -> a.matmul(b));
    requireSame(() -> a.linear(b.transpose(0, 1), bias));
    requireSame(() -> large.add(bias));
    requireSame(() -> large.mul(large));
    requireSame(() -> large.exp());
    requireSame(() -> large.logSoftmax(1));
    requireSame(() -> images.conv2d(filters, none));
    requireSame(() -> gradient(large, Tensor.parameterOf(large)));
    requireSame(() -> gradient(images, Tensor.parameterOf(images)));
  }

  private Tensor gradient(Tensor x, Tensor parameter) {
    Tensor y =
        x.shape().rank() == 2
            ? parameter.relu()
            : parameter.conv2d(Tensor.ones(2, 3, 5, 5), Tensor.zeros(2));
    y.mul(y).sum().backward();
    return Objects.requireNonNull(parameter.grad());
  }

  /// Computes with new arrays and with freed ones that are full of NaN.
  private static void requireSame(Supplier<Tensor> computation) {
    Tensor expected = computation.get();
    for (int i = 0; i < 5; i++) {
      float[] values = new float[expected.shape().elements()];
      Arrays.fill(values, Float.NaN);
      Tensor.of(expected.shape(), values).free();
    }
    assertThat(computation.get().values()).isEqualTo(expected.values());
  }
}
