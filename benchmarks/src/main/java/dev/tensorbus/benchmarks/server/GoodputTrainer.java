// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.time.Duration;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// An emulated trainer in its own process: its calls are real, but it sleeps instead of computing,
/// so that two cores can carry many trainers. Its gradients are random numbers, which depend on
/// step and shard, and a share of the values, so that the final values depend on all pushes and
/// their order.
final class GoodputTrainer {
  /// The number of shards of the data.
  static final int SHARDS = 24;

  /// The number of examples for which a shard stands in a step.
  static final int EXAMPLES = 8;

  /// The first word of a line that says that a step begins.
  static final String STEP = "step";

  /// The first word of the line with the hash of the final values.
  static final String BITS = "bits";

  private static final float DECAY = 0.1f;

  private final Emulated model = new Emulated();

  /// A model with several tensors, so that each server has some.
  private static final class Emulated extends Layer {
    private static final int TENSORS = 6;
    private static final int SIZE = 2000;

    private Emulated() {
      for (int i = 0; i < TENSORS; i++) {
        parameter("values" + i, Shape.of(SIZE), new float[SIZE]);
      }
    }
  }

  /// The step at which this worker's trainer stops.
  private static final class Limit {
    private volatile long step;
  }

  /// Trains until the last step, which the benchmark may bring forward.
  ///
  /// @param args the world's, the servers, the number of trainers, the milliseconds that each shard
  ///     takes besides its computation, and the last step
  public static void main(String[] args) {
    WorldMember member = WorldMember.join(args);
    String[] servers = member.arguments().get(0).split(",", -1);
    int trainers = Integer.parseInt(member.arguments().get(1));
    Duration pause = Duration.ofMillis(Long.parseLong(member.arguments().get(2)));
    Rpc rpc = member.open();
    rpc.shared(Limit.class, Limit::new).step = Long.parseLong(member.arguments().get(3));
    StoreOptions options = StoreOptions.of(servers).withTrainers(trainers).withShards(SHARDS);
    GoodputTrainer trainer = new GoodputTrainer();
    trainer.train(rpc, options, pause);
    System.out.println(BITS + " " + trainer.hash());
    WorldMember.awaitEnd();
  }

  /// Sets the step at which this worker's trainer stops.
  @Remote
  static void stopAt(long step) {
    Rpc.current().shared(Limit.class, Limit::new).step = step;
  }

  private void train(Rpc rpc, StoreOptions options, Duration pause) {
    Limit limit = rpc.shared(Limit.class, Limit::new);
    try (var store = ParameterStore.join(rpc, model, new Sgd(0.05).withMomentum(0.9), options)) {
      long said = -1;
      while (true) {
        SortedSet<Integer> shards = store.pullShards().await();
        if (store.step() > said) {
          said = store.step();
          System.out.println(STEP + " " + said + " " + System.nanoTime());
        }
        if (said >= limit.step) {
          return;
        }
        for (int shard : shards) {
          ServerWorld.sleep(pause);
          setGradients(store.step(), shard);
          store.pushShard(shard, EXAMPLES);
        }
      }
    }
  }

  private void setGradients(long step, int shard) {
    RandomGenerator random = new SplittableRandom(step * SHARDS + shard);
    for (Tensor parameter : model.parameters()) {
      float[] gradient = parameter.values().clone();
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] = DECAY * gradient[i] + random.nextFloat() - 0.5f;
      }
      parameter.setGrad(Tensor.of(parameter.shape(), gradient));
    }
  }

  /// Returns a hash of the bits of all values.
  private int hash() {
    return model.parameters().stream()
        .map(parameter -> Arrays.hashCode(parameter.values()))
        .toList()
        .hashCode();
  }
}
