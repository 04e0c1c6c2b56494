// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
  void aTableOfWhichFewRowsAreLookedUpGetsASparseGradient() {
    Tensor weight = Tensor.parameter(table, new float[8]);
    Tensor few = weight.indexSelect(0, Tensor.ofLongs(2, 0, 2));
    few.mul(Tensor.of(1, 2, 3, 4, 5, 6).reshape(3, 2)).sum().backward();
    Tensor gradient = Objects.requireNonNull(weight.grad());
    assertThat(rows(gradient).rows()).containsExactly(2, 0, 2);
    assertThat(gradient.values()).containsExactly(3, 4, 0, 0, 6, 8, 0, 0);
    weight.zeroGrad();
    weight.indexSelect(0, Tensor.ofLongs(0, 1, 2, 3)).sum().backward();
    assertThat(Objects.requireNonNull(weight.grad()).sparseRows()).isNull();
  }

  @Test
  void rowsThatDoNotFitAreRefused() {
    refused(
        () -> sparse(new int[] {1}, 1, 2, 3, 4),
        "sparse rows: 1 rows of [4, 2] do not fit values [2, 2]");
    refused(() -> sparse(new int[] {4}, 1, 2), "sparse rows: row 4 is not in [4, 2]");
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
}
