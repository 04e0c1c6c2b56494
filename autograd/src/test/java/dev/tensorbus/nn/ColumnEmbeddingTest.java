// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ColumnEmbeddingTest {
  private final ColumnEmbedding columns = new ColumnEmbedding(1, List.of(3, 2), 4, new Random(1));

  private Tensor table(int column) {
    return columns.state().tensors().get("weight" + column);
  }

  @Test
  void numbersStayAndEachColumnOfCategoriesIsLookedUpInItsOwnTable() {
    Tensor rows = Tensor.of(Shape.of(2, 3), new float[] {0.5f, 2, 0, -1.5f, 0, 1});
    float[] values = columns.forward(rows).values();
    assertThat(values).hasSize(18); // [2, 9]
    assertThat(values[0]).isEqualTo(0.5f);
    assertThat(Arrays.copyOfRange(values, 1, 5)).isEqualTo(table(0).select(0, 2).values());
    assertThat(Arrays.copyOfRange(values, 5, 9)).isEqualTo(table(1).select(0, 0).values());
    assertThat(values[9]).isEqualTo(-1.5f);
    assertThat(Arrays.copyOfRange(values, 14, 18)).isEqualTo(table(1).select(0, 1).values());
  }

  @Test
  void unknownCategoriesAreInitiallyZero() {
    float[] values = columns.forward(Tensor.of(Shape.of(1, 3), new float[] {7, 0, 0})).values();
    assertThat(values).containsExactly(7, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void tablesLearnOnlyTheRowsThatWereLookedUp() {
    columns.forward(Tensor.of(Shape.of(1, 3), new float[] {0, 1, 1})).sum().backward();
    Tensor gradient = columns.parameters().getFirst().grad();
    assertThat(gradient.values()).containsExactly(0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0);
  }

  @Test
  void otherRowsAreRefused() {
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> columns.forward(Tensor.zeros(2, 4)))
        .withMessageContaining(
            "rows have the shape [2, 4]; expected [n, 3]: numbers 1, categories 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> columns.forward(Tensor.of(Shape.of(1, 3), new float[] {0, 0, 2})))
        .withMessageContaining("2");
  }
}
