// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.server.slot.Life;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A trainer of a group whose steps combine one push of each shard of the data. The servers tell a
/// trainer which shards it has to compute: its own ones and, if another trainer dies, some of that
/// one's. A gradient depends on the step and the shard only, so it does not matter who computes it,
/// or whether two trainers do.
///
/// Not thread-safe: a trainer makes one request after another.
public final class ShardClient {
  private final SlotClient client;

  /// The shards of the current step that this trainer has pushed.
  private final Set<Integer> computed = new TreeSet<>();

  private long version;
  private volatile @Nullable Throwable failure;

  /// What a trainer has to do.
  ///
  /// @param step the number of steps before the current one
  /// @param values all parameters by name; empty if the step has not changed
  /// @param shards the shards whose gradients the trainer has to push in this step
  public record Work(long step, Map<String, Tensor> values, SortedSet<Integer> shards) {}

  /// @param client a client that has joined the group
  public ShardClient(SlotClient client) {
    this.client = client;
  }

  /// Fetches the values of the next step when it can begin or, if this trainer has to compute
  /// further shards of the current step before, those shards. A trainer that is several steps
  /// behind, or has just joined, gets the values of the newest step.
  public Future<Work> pull() {
    Throwable failed = failure;
    if (failed != null) {
      return Future.failedFuture(failed);
    }
    return version == 0 ? newest() : next();
  }

  private Future<Work> next() {
    long wanted = version + 1;
    return client
        .pull(wanted, wanted, computed)
        .compose(
            pulled -> {
              if (!pulled.isMember()) {
                return client.rejoin().compose(_ -> newest());
              }
              if (pulled.newest() > wanted) {
                return newest();
              }
              if (pulled.oldest() == wanted) {
                return Future.succeededFuture(load(pulled));
              }
              SortedSet<Integer> more = pulled.open(version);
              more.removeAll(computed);
              return more.isEmpty()
                  ? next()
                  : Future.succeededFuture(new Work(version - 1, Map.of(), more));
            });
  }

  private Future<Work> newest() {
    return client
        .pull(0, Long.MAX_VALUE, Set.of())
        .compose(
            pulled ->
                pulled.oldest() == pulled.newest()
                    ? Future.succeededFuture(pulled)
                    : client.pull(0, pulled.oldest(), Set.of())) // of which all slots have a copy
        .compose(
            pulled ->
                pulled.oldest() == pulled.newest()
                    ? Future.succeededFuture(load(pulled))
                    : newest());
  }

  /// Fetches all values with the next pull, as if this trainer had just joined.
  public void restart() {
    version = 0;
    computed.clear();
  }

  private Work load(SlotClient.Pulled pulled) {
    version = pulled.newest();
    computed.clear();
    return new Work(version - 1, client.values(), pulled.open(version));
  }

  /// Pushes the gradients of a shard in the current step. They are sent again until the step is
  /// taken. If that fails, the next pull fails.
  ///
  /// @param optimizer the optimizer's settings for the step
  /// @param gradients the gradients by parameter
  /// @param examples the number of examples; 0 if unknown
  public void push(
      int shard, OptimizerSpec optimizer, Map<String, Tensor> gradients, int examples) {
    computed.add(shard);
    client
        .push(Life.ofShard(shard), version, optimizer, gradients, examples)
        .onFailure(error -> failure = error);
  }
}
