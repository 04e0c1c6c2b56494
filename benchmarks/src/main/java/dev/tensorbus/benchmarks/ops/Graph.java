// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Graphs of many small operations: long graphs, wide graphs, and graphs with sparse gradients.
final class Graph extends Group {
  private static final int ROWS = 1_000_000;

  Graph() {
    super("graph");
    addAll("chain.scalar.%d", this::chain, 1000, 10_000, 100_000, 1_000_000);
    addAll("fanout.scalar.%d", this::fanOut, 1000, 10_000, 100_000);
    addAll("embedding.lookups.%d", this::lookUps, 100, 1000, 4000);
    addAll("selectrows.%dx256", this::selectRows, 100, 1000, 4000);
  }

  private void addAll(String name, IntFunction<Runnable> preparation, int... counts) {
    for (int count : counts) {
      add(name.formatted(count), () -> preparation.apply(count));
    }
  }

  private Runnable chain(int count) {
    Tensor x = Tensor.parameter(Shape.SCALAR, new float[] {1});
    Tensor half = Tensor.scalar(0.5f);
    return () -> {
      Tensor y = x;
      for (int i = 0; i < count; i++) {
        y = y.add(half);
      }
      y.backward();
      x.zeroGrad();
    };
  }

  private Runnable fanOut(int count) {
    Tensor x = leaf(1);
    Tensor factor = randn(1);
    return () -> {
      Tensor all =
          Tensor.concatenate(Stream.generate(() -> x.mul(factor)).limit(count).toList(), 0);
      all.sum().backward();
      x.zeroGrad();
    };
  }

  private Runnable lookUps(int count) {
    Embedding table = new Embedding(ROWS, 16, random).withSparse(true);
    Tensor rows = indices(ROWS, 32);
    return () -> {
      Tensor sums =
          Tensor.stack(Stream.generate(() -> table.forward(rows).sum()).limit(count).toList(), 0);
      sums.sum().backward();
      table.zeroGrad();
    };
  }

  private Runnable selectRows(int count) {
    Tensor x = leaf(count, 256);
    return () -> {
      Tensor rows =
          Tensor.stack(IntStream.range(0, count).mapToObj(row -> x.select(0, row)).toList(), 0);
      rows.sum().backward();
      x.zeroGrad();
    };
  }
}
