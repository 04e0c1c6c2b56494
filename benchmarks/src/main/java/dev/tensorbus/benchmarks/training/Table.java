// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Remote;
import java.util.SplittableRandom;

/// An embedding table on a server, with sparse gradients.
public final class Table extends Layer {
  private final Embedding rows;

  @Remote
  Table(int rows, int size) {
    this.rows = child("rows", new Embedding(rows, size, new SplittableRandom(1)).withSparse(true));
  }

  /// Returns the rows with these indices.
  public Tensor forward(Tensor numbers) {
    return rows.forward(numbers);
  }
}
