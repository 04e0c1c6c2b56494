// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.kernel.shape.Strided;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ViewsTest {
  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void gatheredValuesAreThoseThatTheStepsSay() {
    for (int round = 0; round < 100; round++) {
      int[] sizes = random.ints(3, 1, 90).toArray();
      float[] source = numbers(sizes[0] * sizes[1] * sizes[2]);
      Strided view = view(sizes);
      float[] gathered = new float[elements(view)];
      Views.gather(view, HeapStorage.of(source), HeapStorage.of(gathered));
      assertThat(gathered).as("%s (-Dseed=%d)", view, seed).isEqualTo(expected(view, source));
    }
  }

  /// As many columns as a tile's rows would overflow an int.
  @Test
  void aRowMayBeVeryLong() {
    boolean[] source = new boolean[(1 << 25) + 1];
    source[1 << 25] = true;
    boolean[] copy = new boolean[source.length];
    Views.gather(Strided.all(source.length), HeapStorage.of(source), HeapStorage.of(copy));
    assertThat(copy[1 << 25]).isTrue();
    assertThat(copy[0]).isFalse();
  }

  @Test
  void aStepOfZeroRepeatsAValue() {
    Strided columns = new Strided(0, new int[] {2, 3}, new int[] {1, 0});
    boolean[] masks = new boolean[6];
    Views.gather(columns, HeapStorage.of(new boolean[] {true, false}), HeapStorage.of(masks));
    assertThat(masks).containsExactly(true, true, true, false, false, false);
    double[] doubles = new double[6];
    Views.gather(columns, HeapStorage.of(new double[] {1, 2}), HeapStorage.of(doubles));
    assertThat(doubles).containsExactly(1, 1, 1, 2, 2, 2);
    long[] longs = new long[6];
    Views.gather(columns, HeapStorage.of(new long[] {1, 2}), HeapStorage.of(longs));
    assertThat(longs).containsExactly(1, 1, 1, 2, 2, 2);
  }

  @Test
  void scatteredValuesComeBack() {
    for (int round = 0; round < 200; round++) {
      int[] sizes = random.ints(3, 1, 40).toArray();
      Strided view = view(sizes);
      long[] values = new long[elements(view)];
      for (int i = 0; i < values.length; i++) {
        values[i] = i + 1;
      }
      long[] target = new long[sizes[0] * sizes[1] * sizes[2]];
      long[] back = new long[values.length];
      Views.scatter(view, HeapStorage.of(values), HeapStorage.of(target));
      Views.gather(view, HeapStorage.of(target), HeapStorage.of(back));
      assertThat(back).as("%s (-Dseed=%d)", view, seed).isEqualTo(values);
    }
  }

  @Test
  void addedValuesMeetThoseThatAreThere() {
    for (int round = 0; round < 200; round++) {
      int[] sizes = random.ints(3, 1, 40).toArray();
      Strided view = view(sizes);
      float[] values = numbers(elements(view));
      float[] sums = numbers(sizes[0] * sizes[1] * sizes[2]);
      double[] doubles = IntStream.range(0, sums.length).asDoubleStream().toArray();
      float[] expected = expected(view, sums);
      for (int i = 0; i < values.length; i++) {
        expected[i] += values[i];
      }
      Views.add(view, HeapStorage.of(values), HeapStorage.of(sums));
      double[] terms = IntStream.range(0, values.length).asDoubleStream().toArray();
      Views.add(view, HeapStorage.of(terms), HeapStorage.of(doubles));
      assertThat(expected(view, sums)).as("%s (-Dseed=%d)", view, seed).isEqualTo(expected);
      for (int i = 0; i < sums.length; i++) {
        assertThat(doubles[i]).as("%s (-Dseed=%d)", view, seed).isEqualTo(sums[i]);
      }
    }
  }

  /// Axes in some order, the second turned around, every second value of the third.
  private Strided view(int... sizes) {
    int[][] orders = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}};
    Strided view = Strided.all(sizes).permuted(orders[random.nextInt(orders.length)]);
    if (random.nextBoolean()) {
      view = view.sliced(1, view.sizes()[1] - 1, view.sizes()[1], -1);
    }
    return random.nextBoolean() ? view.sliced(2, 0, (view.sizes()[2] + 1) / 2, 2) : view;
  }

  private static int elements(Strided view) {
    return view.sizes()[0] * view.sizes()[1] * view.sizes()[2];
  }

  private static float[] expected(Strided view, float[] source) {
    float[] values = new float[elements(view)];
    int next = 0;
    int[] steps = view.steps();
    for (int i = 0; i < view.sizes()[0]; i++) {
      for (int j = 0; j < view.sizes()[1]; j++) {
        for (int k = 0; k < view.sizes()[2]; k++) {
          values[next++] = source[view.start() + i * steps[0] + j * steps[1] + k * steps[2]];
        }
      }
    }
    return values;
  }

  private static float[] numbers(int count) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = i;
    }
    return numbers;
  }
}
