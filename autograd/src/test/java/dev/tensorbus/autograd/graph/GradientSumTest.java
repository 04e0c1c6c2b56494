// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Scattered;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GradientSumTest {
  private final Shape table = Shape.of(4, 2);

  @Test
  void aThousandPartsAreAddedOnceAndNoneIsLaidOut() {
    AtomicInteger added = new AtomicInteger();
    Scattered one =
        new Scattered() {
          @Override
          public Shape shape() {
            return table;
          }

          @Override
          public DType dtype() {
            return DType.FLOAT32;
          }

          @Override
          public void addTo(HeapStorage sums) {
            sums.floats()[added.getAndIncrement() % 2] += 1;
          }

          @Override
          public HeapStorage dense() {
            throw new AssertionError("laid out");
          }
        };
    GradientSum sum = new GradientSum();
    IntStream.range(0, 1000).forEach(_ -> sum.add(Tensor.ofLayout(one)));
    assertThat(total(sum).values()).containsExactly(500, 500, 0, 0, 0, 0, 0, 0);
    assertThat(added).hasValue(1000);
  }

  @Test
  void rowsStayRowsUntilADenseGradientComes() {
    GradientSum sum = new GradientSum();
    sum.add(rows(1));
    sum.add(rows(3));
    sum.add(rows(1));
    assertThat(Objects.requireNonNull(total(sum).sparseRows()).rows()).containsExactly(1, 3, 1);
    Tensor ones = Tensor.ones(4, 2);
    sum.add(ones);
    Tensor dense = total(sum);
    assertThat(dense.sparseRows()).isNull();
    assertThat(dense.values()).containsExactly(1, 1, 3, 3, 1, 1, 2, 2);
    assertThat(ones.values()).as("others see it").containsOnly(1);
  }

  @Test
  void partsOfSeveralTypesMeetAsTensorsDo() {
    GradientSum sum = new GradientSum();
    sum.add(rows(0));
    sum.add(
        Tensor.ofRows(new SparseRows(table, new int[] {2}, Tensor.ones(1, 2).to(DType.FLOAT64))));
    sum.add(Tensor.ones(4, 2));
    assertThat(total(sum).doubles()).containsExactly(2, 2, 1, 1, 2, 2, 1, 1);
  }

  @Test
  void slicesRowsAndAllOfALeafAddUp() {
    Tensor x = Tensor.parameter(table, new float[8]);
    Tensor row = x.select(0, 1);
    Tensor column = x.slice(1, 1, 2).scale(10);
    Tensor turned = x.flip(1).mul(Tensor.of(100, 200));
    Tensor taken = x.indexSelect(0, Tensor.ofLongs(3, 3)).scale(1000);
    List<Tensor> all = List.of(row, column, turned, taken, x);
    all.stream().map(Tensor::sum).reduce(Tensor::add).orElseThrow().backward();
    assertThat(Objects.requireNonNull(x.grad()).values())
        .containsExactly(201, 111, 202, 112, 201, 111, 2201, 2111);
  }

  @Test
  void aLonePartKeepsItsValuesToTheBit() {
    Tensor x = Tensor.parameter(Shape.of(3), new float[3]);
    Backward.from(x.slice(0, 1, 2), Tensor.of(-0f)).run();
    assertThat(Objects.requireNonNull(x.grad()).values()).containsExactly(0f, -0f, 0f);
  }

  private Tensor rows(int row) {
    return Tensor.ofRows(new SparseRows(table, new int[] {row}, Tensor.ones(1, 2)));
  }

  /// As in a pass that creates no graph.
  private static Tensor total(GradientSum sum) {
    return Objects.requireNonNull(NoGrad.call(sum::total));
  }
}
