// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.nn.functional.Embeddings;
import dev.tensorbus.nn.functional.Embeddings.BagMode;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SparseRowsTest {
  private final Shape table = Shape.of(4, 2);

  @Test
  void theTensorIsZeroButForItsRowsWhichAddUp() {
    Tensor sparse = sparse(new int[] {2, 0, 2}, 1, 2, 3, 4, 5, 6);
    assertThat(sparse.shape()).isEqualTo(table);
    assertThat(sparse.values()).containsExactly(3, 4, 0, 0, 6, 8, 0, 0);
    assertThat(sparse.scale(2).values()).containsExactly(6, 8, 0, 0, 12, 16, 0, 0);
  }

  @Test
  void coalescedRowsAreThereOnceInOrder() {
    SparseRows rows = rows(sparse(new int[] {2, 0, 2}, 1, 2, 3, 4, 5, 6)).coalesced();
    assertThat(rows.rows()).containsExactly(0, 2);
    assertThat(rows.values().values()).containsExactly(3, 4, 6, 8);
  }

  @Test
  void sumsOfSparseTensorsAreSparse() {
    Tensor a = sparse(new int[] {1}, 1, 2);
    Tensor b = sparse(new int[] {3, 1}, 3, 4, 5, 6);
    Tensor sum = a.add(b);
    assertThat(rows(sum).rows()).containsExactly(1, 3, 1);
    assertThat(sum.values()).containsExactly(0, 0, 6, 8, 0, 0, 3, 4);
    assertThat(rows(sum.add(sum)).rows()).as("no longer than the whole").containsExactly(1, 3);
    assertThat(a.add(Tensor.ones(4, 2)).sparseRows()).isNull();
  }

  @Test
  void aLeafAccumulatesSparseGradients() {
    Tensor x = Tensor.parameter(table, new float[8]);
    Tensor gradient = sparse(new int[] {3}, 1, 2);
    Backward.from(x, gradient).and(x, gradient).run();
    Tensor sum = Objects.requireNonNull(x.grad());
    assertThat(rows(sum).rows()).containsExactly(3, 3);
    assertThat(sum.values()).containsExactly(0, 0, 0, 0, 0, 0, 2, 4);
  }

  @Test
  void aSparseEmbeddingsGradientHasTheRowsThatWereLookedUp() {
    Tensor weight = Tensor.parameter(table, new float[8]);
    Tensor few = Embeddings.embedding(Tensor.ofLongs(2, 0, 2), weight, true);
    few.mul(Tensor.of(1, 2, 3, 4, 5, 6).reshape(3, 2)).sum().backward();
    Tensor gradient = Objects.requireNonNull(weight.grad());
    assertThat(rows(gradient).rows()).containsExactly(2, 0, 2);
    assertThat(gradient.values()).containsExactly(3, 4, 0, 0, 6, 8, 0, 0);
    weight.zeroGrad();
    Embeddings.embedding(Tensor.ofLongs(0, 1, 2, 3, 0), weight, true).sum().backward();
    assertThat(rows(Objects.requireNonNull(weight.grad())).rows())
        .as("more than the table has")
        .containsExactly(0, 1, 2, 3, 0);
  }

  @Test
  void anEmbeddingsGradientIsDenseUnlessAskedFor() {
    Tensor weight = Tensor.parameter(table, new float[8]);
    weight.indexSelect(0, Tensor.ofLongs(2)).sum().backward();
    Embeddings.embedding(Tensor.ofLongs(2), weight).sum().backward();
    int[] offsets = {0};
    Embeddings.embeddingBag(Tensor.ofLongs(2), weight, offsets, BagMode.SUM).sum().backward();
    Tensor gradient = Objects.requireNonNull(weight.grad());
    assertThat(gradient.sparseRows()).isNull();
    assertThat(gradient.values()).containsExactly(0, 0, 0, 0, 3, 3, 0, 0);
    weight.zeroGrad();
    Embeddings.embeddingBag(Tensor.ofLongs(2), weight, offsets, BagMode.SUM, true).sum().backward();
    assertThat(rows(Objects.requireNonNull(weight.grad())).rows()).containsExactly(2);
  }

  @Test
  void rowsThatDoNotFitAreRefused() {
    refused(
        () -> sparse(new int[] {1}, 1, 2, 3, 4),
        "sparse rows: 1 rows of [4, 2] do not fit values [2, 2]");
    refused(() -> sparse(new int[] {4}, 1, 2), "sparse rows: row 4 is out of bounds for [4, 2]");
  }

  private Tensor sparse(int[] rows, float... values) {
    Tensor rowValues = Tensor.of(values).reshape(-1, 2);
    return Tensor.ofRows(new SparseRows(table, rows, rowValues));
  }

  private static SparseRows rows(Tensor x) {
    return Objects.requireNonNull(x.sparseRows());
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(RuntimeException.class).hasMessage(message);
  }

  @Test
  void ofATensorOfTwoBillionRowsOnlyThoseAreLaidOutThatAreThere() {
    int[] rows = {7, 1_000_000_000};
    Tensor values = Tensor.of(1, 2).reshape(2, 1);
    Tensor sparse = Tensor.ofRows(new SparseRows(Shape.of(Integer.MAX_VALUE, 1), rows, values));
    Node origin =
        new Node(1, List.of()) {
          @Override
          protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
            return gradients;
          }

          @Override
          public String toString() {
            return "test";
          }
        };
    Tensor recorded = Tensor.recorded(sparse.detach(), new Edge(origin, 0));
    assertThat(recorded.requiresGrad()).isTrue();
    assertThat(recorded.sparseRows().rows()).isEqualTo(rows);
    assertThat(recorded)
        .hasToString("SparseRows[2147483647, 1] 2 rows[7, 1000000000] Tensor[2, 1][1.0, 2.0]");
  }

  @Test
  void theTextOfManyRowsIsShort() {
    Tensor values = Tensor.zeros(100_000, 1);
    SparseRows many = new SparseRows(Shape.of(1, 1), new int[100_000], values);
    assertThat(many.toString())
        .isEqualTo(
            "SparseRows[1, 1] 100000 rows[0, 0, 0, 0, 0, 0, 0, 0, …] "
                + "Tensor[100000, 1][0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, …]");
  }
}
