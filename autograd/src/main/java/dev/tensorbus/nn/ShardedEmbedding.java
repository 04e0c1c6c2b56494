// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// A table that is split into several [Embedding]s, its shards. All shards have the same number of
/// rows, except that the last one may have fewer. A shard contains at most 2^31 - 1 values; the
/// table may contain more. Like the row-wise sharding of TorchRec.
///
/// The shards are the layers `shards.0`, `shards.1`, …; each receives the gradient of the rows
/// that were looked up in it.
public final class ShardedEmbedding extends Layer implements Forward {
  private final LayerList<Embedding> shards;
  private final long rows;
  private final int rowsOfShard;
  private final int size;

  /// Creates a table of `rows` rows with `size` standard normal values each.
  ///
  /// @param shards the number of shards
  /// @throws IllegalArgumentException if a shard would have no row, or more than 2^31 - 1 values
  public ShardedEmbedding(long rows, int size, int shards, RandomGenerator random) {
    long each = Math.ceilDiv(rows, Math.max(1, shards));
    if (shards < 1 || rows <= (shards - 1) * each) {
      throw new IllegalArgumentException(
          "embedding: %d rows cannot fill %d shards; expected at least one shard, and none empty"
              .formatted(rows, shards));
    }
    if (each * size > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "embedding: a shard of %d x %d values is too large; use at least %d shards"
              .formatted(each, size, Math.ceilDiv(rows, Integer.MAX_VALUE / size)));
    }
    this.rows = rows;
    this.size = size;
    this.rowsOfShard = (int) each;
    this.shards =
        child(
            "shards",
            LayerList.of(
                shards,
                shard -> new Embedding((int) Math.min(each, rows - shard * each), size, random)));
  }

  /// Applies [Embedding#withSparse] to each shard.
  ///
  /// @return this layer
  public ShardedEmbedding withSparse(boolean sparse) {
    shards.forEach(shard -> shard.withSparse(sparse));
    return this;
  }

  /// Looks up int64 indices of any shape; the result has shape `[…, size]`.
  ///
  /// @throws IllegalArgumentException if an index is out of range
  @Override
  public Tensor forward(Tensor indices) {
    long[] wanted = indices.longs();
    int[] shardOf = Arrays.stream(wanted).mapToInt(this::shardOf).toArray();
    Tensor[] parts = new Tensor[shards.size()];
    long[] places = new long[wanted.length];
    int place = 0;
    for (int shard = 0; shard < parts.length; shard++) {
      long[] inShard = new long[wanted.length];
      int first = place;
      for (int i = 0; i < wanted.length; i++) {
        if (shardOf[i] == shard) {
          inShard[place - first] = wanted[i] - (long) shard * rowsOfShard;
          places[i] = place++;
        }
      }
      parts[shard] =
          shards.get(shard).forward(Tensor.ofLongs(Arrays.copyOf(inShard, place - first)));
    }
    int[] result = Arrays.copyOf(indices.shape().toArray(), indices.shape().rank() + 1);
    result[result.length - 1] = size;
    Tensor found = Tensor.concatenate(List.of(parts), 0);
    return found.indexSelect(0, Tensor.ofLongs(places)).reshape(result);
  }

  private int shardOf(long index) {
    if (index < 0 || index >= rows) {
      throw new IllegalArgumentException(
          "embedding: index %d is not in [0, %d)".formatted(index, rows));
    }
    return (int) (index / rowsOfShard);
  }
}
