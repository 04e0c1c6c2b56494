// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TableVersionTest {
  private static final int ROWS = 300;
  private static final int COLUMNS = 256;

  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "63, 1",
    "5000, 1",
    "4097, 3",
    "1000, 16",
    "130, 64",
    "9, 200",
    "3, 0",
    "0, 3"
  })
  void eachVersionKeepsItsValues(int rows, int columns) {
    for (DType type : List.of(DType.FLOAT32, DType.FLOAT64)) {
      Tensor table = Tensor.randn(random, rows, columns).to(type);
      List<TableVersion> versions = new ArrayList<>(List.of(TableVersion.of(table)));
      List<Tensor> expected = new ArrayList<>(List.of(table));
      for (int step = 1; step <= 5; step++) {
        int[] changed = someOf(rows);
        versions.add(negated(versions.getLast(), changed));
        expected.add(negated(expected.getLast(), changed));
      }
      for (int i = 0; i < versions.size(); i++) {
        int[] all = IntStream.range(0, rows).toArray();
        HeapStorage values = expected.get(i).heap();
        assertThat(versions.get(i).take(all)).as("version %d, seed %d", i, seed).isEqualTo(values);
        assertThat(Tensor.ofLayout(versions.get(i)).heap()).isEqualTo(values);
      }
    }
  }

  private record Step(int number, TableVersion version) {
    /// Gives rows `number`, `number + 3`, `number + 6`, … the value `number + 1`.
    Step next() {
      int[] rows = IntStream.range(0, ROWS).filter(row -> (row - number) % 3 == 0).toArray();
      return new Step(
          number + 1,
          version.changed(
              rows,
              50,
              (first, end, before, next) -> {
                assertThat(version.dense().floats()).isEqualTo(values());
                Arrays.fill(next.floats(), number + 1);
              }));
    }

    float[] values() {
      float[] values = new float[ROWS * COLUMNS];
      for (int at = 0; at < values.length; at++) {
        values[at] = Math.max(0, number - Math.floorMod(number - 1 - at / COLUMNS, 3));
      }
      return values;
    }
  }

  @Test
  void readersOfAnyVersionMeetNoChange() {
    AtomicReferenceArray<Step> newest = new AtomicReferenceArray<>(3);
    Step begin = new Step(0, TableVersion.of(Tensor.zeros(ROWS, COLUMNS)));
    IntStream.range(0, newest.length()).forEach(i -> newest.set(i, begin));
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  Step step = begin;
                  for (int k = 1; k <= 150; k++) {
                    step = step.next();
                    newest.set(k % newest.length(), step);
                  }
                });
    int[] all = IntStream.range(0, ROWS).toArray();
    do {
      Step step = newest.get(random.nextInt(newest.length()));
      String text = "version %d, seed %d".formatted(step.number, seed);
      assertThat(step.version.take(all).floats()).as(text).isEqualTo(step.values());
      assertThat(step.version.dense().floats()).as(text).isEqualTo(step.values());
    } while (writer.isAlive());
    assertThat(newest.get(0).number).isEqualTo(150);
  }

  @Test
  void aVersionHasSeveralNextOnes() {
    Tensor table = Tensor.randn(random, 20, 3);
    TableVersion version = TableVersion.of(table);
    TableVersion first = negated(version, 3, 7);
    TableVersion second = negated(version, 7, 8);
    assertThat(version.dense()).isEqualTo(table.heap());
    assertThat(first.dense()).isEqualTo(negated(table, 3, 7).heap());
    assertThat(second.dense()).isEqualTo(negated(table, 7, 8).heap());
  }

  @Test
  void aChangeThatFailsLeavesTheVersionAsItWas() {
    Tensor table = Tensor.randn(random, 20, 3);
    TableVersion version = TableVersion.of(table);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                version.changed(
                    new int[] {3, 7, 9},
                    2,
                    (first, end, before, next) -> {
                      if (first > 0) {
                        throw new IllegalStateException("as the test wants");
                      }
                    }));
    assertThat(version.take(3, 7, 9)).isEqualTo(TableVersion.of(table).take(3, 7, 9));
    assertThat(version.dense()).isEqualTo(table.heap());
    assertThat(negated(version, 9).dense()).isEqualTo(negated(table, 9).heap());
  }

  /// The rows that an old version keeps would otherwise grow with each step.
  @Test
  void aVersionThatSomebodyHoldsKeepsNoLaterOnesForGood() {
    Tensor table = Tensor.randn(random, 50, 4);
    TableVersion held = TableVersion.of(table);
    int[] all = IntStream.range(0, 50).toArray();
    TableVersion newest = negated(negated(held, all), all);
    WeakReference<TableVersion> later = new WeakReference<>(newest);
    for (int step = 0; step < 10 && !later.refersTo(null); step++) {
      System.gc();
      newest = negated(negated(newest, all), all);
      later = step == 0 ? new WeakReference<>(newest) : later;
    }
    assertThat(later.refersTo(null)).isTrue();
    assertThat(held.dense()).isEqualTo(table.heap());
    assertThat(newest.dense()).isEqualTo(table.heap());
  }

  @Test
  void aTensorOfAVersionIsATensorLikeOthers() {
    Tensor plain = Tensor.randn(random, 100, 5);
    Tensor table = Tensor.parameterOf(plain);
    Tensor version = Tensor.ofLayout(TableVersion.of(plain));
    table.replace(old -> version);
    Tensor before = table.detach();
    assertThat(before.layout()).isSameAs(table.layout()).isNotNull();
    assertThat(table).hasToString(plain.toString());
    Tensor rows = Tensor.ofLongs(99, 3, 99);
    assertThat(table.indexSelect(0, rows).values()).isEqualTo(plain.indexSelect(0, rows).values());
    assertThat(table.indexSelect(1, Tensor.ofLongs(4)).values())
        .isEqualTo(plain.indexSelect(1, Tensor.ofLongs(4)).values());
    assertThat(table.reshape(5, 100).values()).isEqualTo(plain.values());
    Tensor negated = Tensor.ofLayout(negated(TableVersion.of(table), 3));
    table.replace(old -> negated);
    assertThat(table.select(0, 3).values()).isEqualTo(plain.select(0, 3).neg().values());
    assertThat(before.values()).as("as its readers know it").isEqualTo(plain.values());
    table.update(float[]::clone);
    assertThat(table.layout()).as("a whole version is one array").isNull();
    assertThat(table.values()).isEqualTo(negated.values());
    table.convertTo(DType.FLOAT64);
    assertThat(table.to(DType.FLOAT32).values()).isEqualTo(negated.values());
  }

  private int[] someOf(int rows) {
    return IntStream.range(0, rows).filter(row -> random.nextInt(8) == 0).toArray();
  }

  private static TableVersion negated(TableVersion version, int... rows) {
    int columns = version.shape().size(1);
    return version.changed(
        rows,
        5,
        (first, end, before, next) -> {
          before.copyTo(first * columns, next, 0, (end - first) * columns);
          negate(next, 0, (end - first) * columns);
        });
  }

  private static Tensor negated(Tensor table, int... rows) {
    HeapStorage values = table.heap().copy();
    int columns = table.shape().size(1);
    for (int row : rows) {
      negate(values, row * columns, columns);
    }
    return Tensor.ofStorage(table.shape(), values);
  }

  private static void negate(HeapStorage values, int from, int length) {
    for (int at = from; at < from + length; at++) {
      if (values.dtype() == DType.FLOAT32) {
        values.floats()[at] *= -1;
      } else {
        values.doubles()[at] *= -1;
      }
    }
  }
}
