// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.TableVersion;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Remote;
import java.util.SplittableRandom;

/// A table whose gradients are rows: the same numbers on whatever worker it is made.
public final class Table extends Layer {
  /// How many rows it has.
  public static final int ROWS = 1000;

  private final Embedding rows;

  /// With numbers by this seed.
  @Remote
  public Table(long seed) {
    rows = child("rows", new Embedding(ROWS, 3, new SplittableRandom(seed)).withSparse(true));
  }

  /// Whether its last step changed some rows, not the whole table.
  @Remote
  public boolean isChangedByRows() {
    return rows.parameters().getFirst().layout() instanceof TableVersion;
  }

  /// The rows of these numbers.
  public Tensor forward(Tensor numbers) {
    return rows.forward(numbers);
  }
}
