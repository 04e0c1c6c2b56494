// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.AdamW;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.SparseAdam;
import java.util.stream.Stream;

/// Optimizer steps over up to ten million values, and over rows of a large table.
final class Optim extends Group {
  private static final int ROWS = 1_000_000;
  private static final int COLUMNS = 64;
  private static final int LOOKUPS = 4096;

  Optim() {
    super("optim");
    step("sgd.10M", new Sgd(0.01), 1, 10_000_000);
    step("sgdm.10M", new Sgd(0.01).withMomentum(0.9), 1, 10_000_000);
    step("adam.10M", new Adam(0.001), 1, 10_000_000);
    step("adamw.10M", new AdamW(0.001), 1, 10_000_000);
    step("adam.1000x1000", new Adam(0.001), 1000, 1000);
    step("adam.4x2.5M", new Adam(0.001), 4, 2_500_000);
    add("embedding.fwd.1Mx64", this::lookUp);
    add("embedding.step.1Mx64", () -> learn(new SparseAdam(0.001)));
    add("embedding.sgd.1Mx64", () -> learn(new Sgd(0.1)));
  }

  private void step(String name, OptimizerSpec spec, int parameters, int size) {
    add(
        name,
        () -> {
          Optimizer optimizer =
              spec.over(Stream.generate(() -> learned(size)).limit(parameters).toList());
          return optimizer::step;
        });
  }

  private Tensor learned(int size) {
    Tensor parameter = leaf(size);
    parameter.setGrad(randn(size));
    return parameter;
  }

  private Runnable lookUp() {
    Embedding table = table();
    Tensor rows = indices(ROWS, LOOKUPS);
    return () -> NoGrad.run(() -> table.forward(rows));
  }

  private Runnable learn(OptimizerSpec spec) {
    Embedding table = table();
    Tensor rows = indices(ROWS, LOOKUPS);
    Optimizer optimizer = spec.over(table.parameters());
    return () -> {
      optimizer.zeroGrad();
      backward(table.forward(rows));
      optimizer.step();
    };
  }

  private Embedding table() {
    return new Embedding(ROWS, COLUMNS, random).withSparse(true);
  }
}
