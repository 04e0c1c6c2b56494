// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.DataLoader.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The batches of one or several shards of the data, at any position. Batches that follow one
/// another are read by one iteration.
///
/// @param <B> type of a batch
final class ShardedData<B> {
  private final List<? extends DataLoader<?, B>> loaders;

  /// The iterations by shard.
  private final Map<Integer, Iterator<B>> iterations = new HashMap<>();

  /// @param data the data of all shards
  ShardedData(DataLoader<?, B> data, int shards) {
    loaders =
        shards == 1
            ? List.of(data)
            : IntStream.range(0, shards).mapToObj(shard -> data.shard(shard, shards)).toList();
  }

  /// Returns the number of batches that each shard has in an epoch.
  int size(long epoch) {
    DataLoader<?, B> first = loaders.getFirst();
    if (first.position().epoch() != epoch) {
      first.resume(new Position(epoch, 0));
      iterations.remove(0);
    }
    return first.size();
  }

  /// Returns the next batches of a shard.
  List<B> take(int shard, Position from, int count) {
    DataLoader<?, B> loader = loaders.get(shard);
    Iterator<B> iteration = iterations.get(shard);
    if (iteration == null || !iteration.hasNext() || !loader.position().equals(from)) {
      loader.resume(from);
      iteration = loader.iterator();
      iterations.put(shard, iteration);
    }
    List<B> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(iteration.next());
    }
    return batches;
  }
}
