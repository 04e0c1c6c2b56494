// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RowBlocksTest {
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
      RowBlocks blocks = RowBlocks.of(table);
      List<RowBlocks> versions = new ArrayList<>(List.of(blocks));
      List<Tensor> expected = new ArrayList<>(List.of(table));
      for (int step = 1; step <= 5; step++) {
        int[] changed = someOf(rows);
        versions.add(negated(versions.getLast(), changed));
        expected.add(negated(expected.getLast(), changed));
      }
      for (int i = 0; i < versions.size(); i++) {
        int[] all = IntStream.range(0, rows).toArray();
        Object values = expected.get(i).storage();
        assertThat(versions.get(i).take(all)).as("version %d, seed %d", i, seed).isEqualTo(values);
        assertThat(Tensor.ofLayout(versions.get(i)).storage()).isEqualTo(values);
      }
    }
  }

  @Test
  void aVersionSharesTheBlocksThatDidNotChange() {
    RowBlocks before = RowBlocks.of(Tensor.randn(random, 10_000, 64));
    RowBlocks after = negated(before, 17, 18, 9_999);
    for (int row = 0; row < 10_000; row++) {
      boolean changed = row == 17 || row == 18 || row == 9_999;
      assertThat(before.block(row) == after.block(row)).as("row %d", row).isEqualTo(!changed);
    }
  }

  @Test
  void aTensorOfBlocksIsATensorLikeOthers() {
    Tensor plain = Tensor.randn(random, 100, 5);
    Tensor table = Tensor.parameterOf(plain);
    Tensor blocks = Tensor.ofLayout(RowBlocks.of(plain));
    table.replace(old -> blocks);
    Tensor before = table.detach();
    assertThat(before.layout()).isSameAs(table.layout()).isNotNull();
    assertThat(table).hasToString(plain.toString());
    Tensor rows = Tensor.ofLongs(99, 3, 99);
    assertThat(table.indexSelect(0, rows).values()).isEqualTo(plain.indexSelect(0, rows).values());
    assertThat(table.indexSelect(1, Tensor.ofLongs(4)).values())
        .isEqualTo(plain.indexSelect(1, Tensor.ofLongs(4)).values());
    assertThat(table.reshape(5, 100).values()).isEqualTo(plain.values());
    Tensor negated = Tensor.ofLayout(negated(RowBlocks.of(table), 3));
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

  private static RowBlocks negated(RowBlocks blocks, int... rows) {
    int columns = blocks.shape().size(1);
    return blocks.changed(
        rows,
        next -> {
          for (int row : rows) {
            negate(next.block(row), next.offset(row), columns);
          }
        });
  }

  private static Tensor negated(Tensor table, int... rows) {
    Object values = DType.copyOf(table.storage());
    int columns = table.shape().size(1);
    for (int row : rows) {
      negate(values, row * columns, columns);
    }
    return Tensor.ofStorage(table.shape(), values);
  }

  private static void negate(Object values, int from, int length) {
    for (int at = from; at < from + length; at++) {
      if (values instanceof float[] floats) {
        floats[at] = -floats[at];
      } else {
        ((double[]) values)[at] *= -1;
      }
    }
  }
}
