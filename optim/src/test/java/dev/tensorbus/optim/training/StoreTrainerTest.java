// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.schedule.ExponentialLr;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Future;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreTrainerTest {
  private static final int TRAINERS = 2;

  private static List<Epoch> train(Rpc rpc) {
    var net = new Sequential(new Flatten(), new Linear(784, 10, new Random(1)));
    var options = StoreOptions.of("worker0").withTrainers(TRAINERS);
    var digits =
        DataLoader.of(StrokeDigits.draw(1000, new Random(1)), 25, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id() - 1, TRAINERS);
    Batch test = Batch.of(StrokeDigits.draw(200, new Random(2)));
    try (var store = ParameterStore.join(rpc, net, new Sgd(0.1), options)) {
      return Trainer.of(store, new CrossEntropyLoss())
          .withClipping(Clipping.byNorm(5))
          .fit(digits, List.of(test), 3);
    }
  }

  @Test
  @WithWorkers(3)
  void trainersOfAStoreLearnTogether(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    List<Future<List<Epoch>>> trained =
        IntStream.rangeClosed(1, TRAINERS)
            .mapToObj(rank -> world.submit(rank, StoreTrainerTest::train))
            .toList();
    Future.all(trained).await();
    List<Epoch> first = trained.get(0).result();
    assertThat(loss(first.getLast())).isLessThan(loss(first.getFirst()));
    assertThat(loss(first.getLast())).isEqualTo(loss(trained.get(1).result().getLast()));
  }

  /// Trains with four shards of the data, and returns the final values.
  private static Tensor trainShards(Rpc rpc, String group, int trainers) {
    return trainShards(rpc, group, trainers, new TrainerListener() {});
  }

  private static Tensor trainShards(Rpc rpc, String group, int trainers, TrainerListener listener) {
    var random = new Random(1);
    var net = new Sequential(new Flatten(), new Dropout(0.2f, random), new Linear(784, 10, random));
    var options =
        StoreOptions.of("worker0", "worker2").withGroup(group).withTrainers(trainers).withShards(4);
    var digits = DataLoader.of(StrokeDigits.draw(400, new Random(1)), 10, Batch::of).shuffled(1);
    try (var store = ParameterStore.join(rpc, net, new Sgd(0.1).withMomentum(0.9), options)) {
      Trainer.of(store, new CrossEntropyLoss())
          .withStepSchedule(new ExponentialLr(0.99))
          .withListener(listener)
          .fit(digits, 12);
      return net.parameters().getFirst().detach();
    }
  }

  @Test
  @WithWorkers(4)
  void shardsGiveTheSameBitsForAnyNumberOfTrainersThoughOneDiesAndComesBack(MemoryWorld world)
      throws InterruptedException {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    Future<Tensor> alone = world.submit(3, rpc -> trainShards(rpc, "alone", 1));
    Future<Tensor> survivor = world.submit(1, rpc -> trainShards(rpc, "together", 2));
    Pause untilItsDeath = new Pause(8);
    Future<Tensor> victim = world.submit(2, rpc -> trainShards(rpc, "together", 2, untilItsDeath));
    world.awaitSteps(2, 7);
    world.kill(2);
    untilItsDeath.over.countDown();
    world.awaitSteps(1, 10);
    world.replace(2, RpcOptions.worldSize(4).withRank(2));
    Future<Tensor> replacement = world.submit(2, rpc -> trainShards(rpc, "together", 2));
    assertThat(survivor.await().values()).isEqualTo(alone.await().values());
    assertThat(replacement.await().values()).isEqualTo(alone.await().values());
    assertThat(victim.isComplete() && victim.succeeded()).isFalse();
  }

  @Test
  @WithWorkers(5)
  void shardsGiveTheSameBitsThoughAServerDies(MemoryWorld world) throws InterruptedException {
    ServerOptions servers = ServerOptions.of("worker0", "worker1", "worker2");
    IntStream.range(0, 3).forEach(rank -> ParameterServer.start(world.worker(rank), servers));
    Future<Tensor> alone = world.submit(3, rpc -> trainShards(rpc, "alone", 1));
    Tensor expected = alone.await();
    Future<Tensor> first = world.submit(3, rpc -> trainShards(rpc, "together", 2));
    Future<Tensor> second = world.submit(4, rpc -> trainShards(rpc, "together", 2));
    world.awaitSteps(4, 7);
    world.kill(1);
    assertThat(first.await().values()).isEqualTo(expected.values());
    assertThat(second.await().values()).isEqualTo(expected.values());
  }

  /// Holds a trainer at a step.
  private record Pause(long step, CountDownLatch over) implements TrainerListener {
    private Pause(long step) {
      this(step, new CountDownLatch(1));
    }

    @Override
    public void onStep(long number, double loss) {
      try {
        if (number == step) {
          over.await();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static double loss(Epoch epoch) {
    return epoch.scalars().get("validation/loss");
  }
}
