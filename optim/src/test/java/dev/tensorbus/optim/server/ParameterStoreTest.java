// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Future;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParameterStoreTest {
  private static final StoreOptions OPTIONS = StoreOptions.of("worker0").withTrainers(2);

  private static Linear net() {
    return new Linear(4, 2, new Random(1));
  }

  /// Takes steps whose gradients depend on the trainer's rank, and returns the final weights.
  private static Tensor train(Rpc rpc, int steps, StoreOptions options) {
    Linear net = net();
    try (var store = ParameterStore.join(rpc, net, new Sgd(0.1).withMomentum(0.9), options)) {
      for (int step = 0; step < steps; step++) {
        store.pull().await();
        net.forward(Tensor.ones(8, 4).scale(rpc.self().id())).square().mean().backward();
        store.push(8).await();
        rpc.progress().step(8, 0);
      }
      store.pull().await();
      return net.namedParameters().get("weight").detach();
    }
  }

  @Test
  @WithWorkers(3)
  void trainersThatStepTogetherHaveTheSameValues(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    List<Future<Tensor>> trained =
        IntStream.of(1, 2)
            .mapToObj(rank -> world.submit(rank, rpc -> train(rpc, 20, OPTIONS)))
            .toList();
    Future.all(trained).await();
    assertThat(trained.get(0).result().values()).isEqualTo(trained.get(1).result().values());
    assertThat(trained.get(0).result().values())
        .isNotEqualTo(net().namedParameters().get("weight").values());
  }

  @Test
  @WithWorkers(4)
  void aBackupTakesOverFromAKilledServer(MemoryWorld world) throws InterruptedException {
    ServerOptions servers = ServerOptions.of("worker0", "worker1", "worker2");
    IntStream.range(0, 3).forEach(rank -> ParameterServer.start(world.worker(rank), servers));
    StoreOptions options = StoreOptions.of("worker0", "worker1", "worker2");
    Future<Tensor> trained = world.submit(3, rpc -> train(rpc, 60, options));
    world.awaitSteps(3, 20);
    world.kill(1);
    world.awaitSteps(3, 20);
    assertThat(trained.await().values()).isEqualTo(undisturbed(60).values());
  }

  @Test
  @WithWorkers(4)
  void oneOfTwoServersTakesOverIfThereIsAWitness(MemoryWorld world) throws InterruptedException {
    ServerOptions servers =
        ServerOptions.of("worker0", "worker1").withBackups(1).withWitnesses("worker2");
    IntStream.range(0, 3).forEach(rank -> ParameterServer.start(world.worker(rank), servers));
    StoreOptions options = StoreOptions.of("worker0", "worker1");
    Future<Tensor> trained = world.submit(3, rpc -> train(rpc, 40, options));
    world.awaitSteps(3, 20);
    world.kill(0);
    assertThat(trained.await().values()).isEqualTo(undisturbed(40).values());
  }

  /// Returns the weights after as many steps without servers.
  private static Tensor undisturbed(int steps) {
    Linear net = net();
    var optimizer = new Sgd(0.1).withMomentum(0.9).over(net.parameters());
    for (int step = 0; step < steps; step++) {
      optimizer.zeroGrad();
      net.forward(Tensor.ones(8, 4).scale(3)).square().mean().backward();
      optimizer.step();
    }
    return net.namedParameters().get("weight");
  }

  @Test
  @WithWorkers(2)
  void aTrainerMayJoinBeforeTheServerStarts(MemoryWorld world) {
    Future<Tensor> trained = world.submit(1, rpc -> train(rpc, 1, OPTIONS.withTrainers(1)));
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    assertThat(trained.await()).isNotNull();
  }

  @Test
  @WithWorkers(3)
  void anotherModelIsRefusedAndNothingChanges(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    var options = OPTIONS.withTrainers(1);
    try (var store = ParameterStore.join(world.worker(1), net(), new Sgd(1), options)) {
      assertThatThrownBy(
              () ->
                  ParameterStore.join(
                      world.worker(2), new Linear(4, 3, new Random(1)), new Sgd(1), options))
          .hasMessageContaining("group \"model\": parameter weight float32 [3, 4] given")
          .hasMessageContaining("parameter weight float32 [2, 4] expected");
      store.pull().await();
    }
  }

  @Test
  @WithWorkers(2)
  void aGradientWithNaNIsNotPushed(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    Linear net = net();
    try (var store =
        ParameterStore.join(world.worker(1), net, new Sgd(1), OPTIONS.withTrainers(1))) {
      net.forward(Tensor.full(Shape.of(1, 4), DType.FLOAT32, Double.NaN)).sum().backward();
      assertThatThrownBy(() -> store.push(1).await())
          .isInstanceOf(ModelServerException.class)
          .hasMessageContaining("has NaN or infinite values");
      store.pull().await();
      assertThat(net.namedParameters().get("weight").values())
          .isEqualTo(net().namedParameters().get("weight").values());
    }
  }
}
