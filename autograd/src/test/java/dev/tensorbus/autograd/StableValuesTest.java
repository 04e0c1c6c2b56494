// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.nn.recurrent.RecurrentOptions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A tensor's values never change under a reader, whatever is computed afterwards.
final class StableValuesTest {
  private static final int LARGEST_SCRATCH = 1 << 18;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Tensor x = Tensor.parameterOf(Tensor.randn(random, 251, 257));

  private static Tensor gradientOf(Tensor leaf) {
    return Objects.requireNonNull(leaf.grad());
  }

  @Test
  void aResultKeepsItsValues() {
    Tensor y = x.exp();
    Tensor z = y.mul(y);
    float[] before = z.values().clone();
    for (int i = 0; i < 5; i++) {
      z.sub(y).sum().backward();
      z.add(y).relu();
    }
    assertThat(z.values()).isEqualTo(before);
  }

  @Test
  void aGradientKeepsItsValuesWhenMoreIsAddedToTheLeafs() {
    x.mul(x).sum().backward();
    Tensor first = gradientOf(x);
    float[] before = first.values().clone();
    x.mul(x).sum().backward();
    x.zeroGrad();
    x.exp().sum().backward();
    assertThat(first.values()).isEqualTo(before);
  }

  @Test
  void aGradientKeepsItsValuesWhenASlicesIsAddedToIt() {
    x.sum().backward();
    Tensor first = gradientOf(x);
    x.slice(1, 3, 5).sum().backward();
    assertThat(first.values()).containsOnly(1);
    assertThat(gradientOf(x).slice(1, 3, 5).values()).containsOnly(2);
    assertThat(gradientOf(x).slice(1, 5, 257).values()).containsOnly(1);
  }

  /// The sum for a leaf that is used often is added to in place, before anybody sees it.
  @Test
  void aGradientThatAHookSawKeepsItsValues() {
    List<Tensor> seen = new ArrayList<>();
    List<float[]> before = new ArrayList<>();
    x.registerHook(
        gradient -> {
          seen.add(gradient);
          before.add(gradient.values().clone());
          return gradient;
        });
    for (int i = 1; i <= 3; i++) {
      x.scale(i).add(x).add(x.mul(x)).add(x.exp()).sum().backward();
    }
    assertThat(seen).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(seen.get(i).values()).isEqualTo(before.get(i));
    }
  }

  @Test
  void tensorsThatShareValuesKeepThemWhenTheLeafGetsOthers() {
    Tensor parameter = Tensor.parameter(Shape.of(2), new float[] {1, 2});
    Tensor before = parameter.detach();
    Tensor column = parameter.reshape(2, 1);
    parameter.update(values -> new float[] {3, 4});
    assertThat(before.values()).containsExactly(1, 2);
    assertThat(column.values()).containsExactly(1, 2);
    assertThat(parameter.values()).containsExactly(3, 4);
  }

  @Test
  void rowsKeepTheirValuesWhenTheWholeIsLaidOut() {
    Tensor values = Tensor.ones(2, 2);
    Tensor sparse = Tensor.ofRows(new SparseRows(Shape.of(3, 2), new int[] {1, 1}, values));
    assertThat(sparse.values()).containsExactly(0, 0, 2, 2, 0, 0);
    assertThat(values.values()).containsOnly(1);
    assertThat(sparse.add(sparse).values()).containsExactly(0, 0, 4, 4, 0, 0);
    assertThat(sparse.values()).containsExactly(0, 0, 2, 2, 0, 0);
  }

  @Test
  void nothingPublicTakesATensorsMemoryAway() {
    assertThat(
            Stream.of(Tensor.class, StateDict.class, Layer.class, DType.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .map(Method::getName))
        .isNotEmpty()
        .noneMatch(name -> name.matches("(?i).*(free|recycle|reuse|arrayToFill).*"));
  }

  @Test
  void resultsDoNotDependOnWhatScratchArraysHeld() {
    Tensor a = Tensor.randn(random, 251, 11);
    Tensor b = Tensor.randn(random, 11, 257);
    Tensor bias = Tensor.randn(random, 257);
    Tensor images = Tensor.randn(random, 1, 3, 53, 59);
    Tensor filters = Tensor.randn(random, 1, 3, 3, 3);
    Tensor none = Tensor.zeros(1);
    Tensor large = a.matmul(b);
    Lstm lstm = new Lstm(RecurrentOptions.of(17, 19).withLayers(2), random);
    Tensor sequence = Tensor.randn(random, 5, 3, 17);
    requireSame(() -> a.matmul(b));
    requireSame(() -> a.linear(b.transpose(0, 1), bias));
    requireSame(() -> large.add(bias));
    requireSame(() -> large.mul(large));
    requireSame(() -> large.exp());
    requireSame(() -> large.logSoftmax(1));
    requireSame(() -> images.conv2d(filters, none));
    requireSame(() -> gradient(large, Tensor.parameterOf(large)));
    requireSame(() -> gradient(images, Tensor.parameterOf(images)));
    requireSame(() -> gradient(lstm, Tensor.parameterOf(sequence)));
  }

  private static Tensor gradient(Tensor values, Tensor parameter) {
    Tensor y =
        values.shape().rank() == 2
            ? parameter.relu()
            : parameter.conv2d(Tensor.ones(2, 3, 5, 5), Tensor.zeros(2));
    y.mul(y).sum().backward();
    return gradientOf(parameter);
  }

  /// The gradients of the input and of all weights, end to end.
  private static Tensor gradient(Lstm lstm, Tensor input) {
    lstm.parameters().forEach(Tensor::zeroGrad);
    Tensor zeros = Tensor.zeros(2, 3, 19);
    Tensor y = lstm.forward(input, new Lstm.State(zeros, zeros)).sequence();
    y.mul(y).sum().backward();
    List<Tensor> gradients =
        Stream.concat(Stream.of(input), lstm.parameters().stream())
            .map(leaf -> gradientOf(leaf).flatten(0))
            .toList();
    return Tensor.concatenate(gradients, 0);
  }

  /// Computes with scratch arrays as they are and with some that are full of NaN.
  private static void requireSame(Supplier<Tensor> computation) {
    Tensor expected = computation.get();
    for (int length = 1; length <= LARGEST_SCRATCH; length *= 2) {
      fillScratch(length, 4);
    }
    assertThat(computation.get().values()).isEqualTo(expected.values());
  }

  private static void fillScratch(int length, int arrays) {
    Scratch.borrow(
        length,
        array -> {
          Arrays.fill(array, Float.NaN);
          if (arrays > 1) {
            fillScratch(length, arrays - 1);
          }
        });
  }
}
