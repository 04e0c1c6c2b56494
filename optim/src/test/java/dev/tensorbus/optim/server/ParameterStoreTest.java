// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ServerStatus.TakeOver;
import dev.tensorbus.optim.server.replica.BackupMessage;
import dev.tensorbus.optim.server.replica.BackupRequest.Compare;
import dev.tensorbus.optim.server.replica.LeaveRequest;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Part;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import dev.tensorbus.rpc.thread.Platform;
import io.vertx.core.Future;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParameterStoreTest {
  private static final StoreOptions OPTIONS = StoreOptions.of("worker0").withTrainers(2);

  private static Linear net() {
    return new Linear(4, 2, new Random(1));
  }

  private static float[] weight(Linear net) {
    return net.namedParameters().get("weight").values();
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
  @WithWorkers(3)
  void aTrainerKnowsThatAStepHasBeenTakenWithoutIt(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    StoreOptions options = OPTIONS.withConsistency("bsp:1");
    Linear slow = net();
    Linear fast = net();
    try (var behind = ParameterStore.join(world.worker(1), slow, new Sgd(0.1), options);
        var ahead = ParameterStore.join(world.worker(2), fast, new Sgd(0.1), options)) {
      behind.pull().await();
      Future<Void> taken = behind.nextStep();
      ahead.pull().await();
      assertThat(taken.isComplete()).isFalse();
      fast.forward(Tensor.ones(8, 4)).square().mean().backward();
      ahead.push(8).await();
      taken.await();
      assertThat(weight(slow)).isEqualTo(weight(net()));
      behind.push(0).await(); // a part that had not taken the step would wait for its gradient
      behind.pull().await();
      ahead.pull().await();
      assertThat(weight(slow)).isEqualTo(weight(fast));
      assertThat(weight(slow)).isNotEqualTo(weight(net()));
    }
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
  @WithWorkers(2)
  void aWorkerWhoseServerHasYetToStartMakesNobodyFail(MemoryWorld world) {
    Rpc rpc = world.worker(0);
    Life former = new Life("worker1", 1);
    var backup = new BackupMessage(former, 1, List.of(new Compare(new Part("model", 0), 1, 0)));
    assertThat(rpc.rpcSync("worker1", ParameterServer::backUp, backup)).containsExactly(false);
    Platform platform = Platform.ofSystem("test");
    WorkerCalls calls = new WorkerCalls(rpc, platform, List.of("worker1"));
    Future<?> left = calls.leave(former, new LeaveRequest(former, "model", Set.of(0)));
    assertThatThrownBy(left::await)
        .hasMessageContaining("worker worker1 is no parameter server; call ParameterServer.start")
        .satisfies(error -> assertThat(calls.isTransient(error)).isTrue());
    platform.clock().stop();
  }

  @Test
  @WithWorkers(4)
  void aServerKnowsWhatItHasTakenOver(MemoryWorld world) throws InterruptedException {
    ServerOptions servers = ServerOptions.of("worker0", "worker1", "worker2");
    IntStream.range(0, 3).forEach(rank -> ParameterServer.start(world.worker(rank), servers));
    StoreOptions options = StoreOptions.of("worker0", "worker1", "worker2");
    Future<Tensor> trained = world.submit(3, rpc -> train(rpc, 300, options));
    world.awaitSteps(3, 20);
    List<ServerStatus> before = statuses(world);
    while (before.stream().mapToInt(ServerStatus::primarySlots).sum() < 256) {
      world.awaitSteps(3, 1); // a server without parameters may hear of its slots later
      before = statuses(world);
    }
    assertThat(before.stream().mapToInt(ServerStatus::primarySlots).sum()).isEqualTo(256);
    world.kill(1);
    List<ServerStatus> after = statuses(world);
    while (after.get(0).takeOvers().isEmpty() || after.get(2).takeOvers().isEmpty()) {
      world.awaitSteps(3, 1);
      after = statuses(world);
    }
    for (int rank : List.of(0, 2)) {
      int gained = after.get(rank).primarySlots() - before.get(rank).primarySlots();
      assertThat(after.get(rank).servers()).containsExactly("worker0", "worker2");
      assertThat(after.get(rank).lostSlots()).isZero();
      assertThat(after.get(rank).epoch()).isGreaterThan(before.get(rank).epoch());
      assertThat(after.get(rank).takeOvers())
          .singleElement()
          .returns("worker1", TakeOver::server)
          .returns(gained, TakeOver::slots);
    }
    trained.await();
  }

  private static List<ServerStatus> statuses(MemoryWorld world) {
    return IntStream.range(0, 3)
        .mapToObj(rank -> ParameterServer.statusOf(world.worker(rank)).orElseThrow())
        .toList();
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

  @Test
  @WithWorkers(6)
  void serversJoinAndLeaveWhileTrainingContinues(MemoryWorld world) throws InterruptedException {
    ServerOptions servers =
        ServerOptions.of("worker0", "worker1").withBackups(1).withWitnesses("worker2");
    List<ParameterServer> started =
        IntStream.range(0, 3)
            .mapToObj(rank -> ParameterServer.start(world.worker(rank), servers))
            .toList();
    StoreOptions options = StoreOptions.of("worker0", "worker1");
    Future<Tensor> trained = world.submit(3, rpc -> train(rpc, 200, options));
    world.awaitSteps(3, 20);
    List<ParameterServer> added =
        IntStream.of(4, 5)
            .mapToObj(rank -> ParameterServer.add(world.worker(rank), servers))
            .toList();
    awaitSlots(world, added.get(0));
    awaitSlots(world, added.get(1));
    started.getFirst().drain();
    added.getLast().drain();
    assertThat(Stream.of(started.getFirst(), added.getLast()))
        .allSatisfy(server -> assertThat(server.status().primarySlots()).isZero());
    assertThat(trained.await().values()).isEqualTo(undisturbed(200).values());
  }

  @Test
  @WithWorkers(2)
  void aServerSaysWhyItCannotBeAddedOrLeave(MemoryWorld world) {
    ServerOptions options = ServerOptions.of("worker0");
    assertThatThrownBy(() -> ParameterServer.start(world.worker(1), options))
        .hasMessage(
            "worker worker1 is none of the servers and witnesses [worker0]; ParameterServer.add"
                + " adds a server");
    assertThatThrownBy(() -> ParameterServer.add(world.worker(0), options))
        .hasMessage(
            "worker worker0 is one of the servers and witnesses [worker0]; call"
                + " ParameterServer.start");
    ParameterServer last = ParameterServer.start(world.worker(0), options);
    assertThatThrownBy(last::drain)
        .hasMessage("server worker0 is the last one; start another server first");
  }

  private static void awaitSlots(MemoryWorld world, ParameterServer server)
      throws InterruptedException {
    while (server.status().primarySlots() == 0 || !server.isComplete()) {
      world.awaitSteps(3, 1);
    }
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

  /// Takes local steps, and returns the weights after the last push.
  private static Tensor trainAlone(Rpc rpc, int steps) {
    Linear net = net();
    var options = OPTIONS.withLocalSteps(new LocalSteps(5, new Sgd(0.5)));
    try (var store = ParameterStore.join(rpc, net, new Sgd(0.01), options)) {
      for (int step = 0; step < steps; step++) {
        store.pull().await();
        net.forward(Tensor.ones(8, 4).scale(rpc.self().id())).square().mean().backward();
        store.push(8).await();
      }
      store.pull().await();
      return net.namedParameters().get("weight").detach();
    }
  }

  @Test
  @WithWorkers(3)
  void aPushOfLocalStepsIsTheDifferenceThatTheyHaveMade(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    List<Future<Tensor>> trained =
        IntStream.of(1, 2)
            .mapToObj(rank -> world.submit(rank, rpc -> trainAlone(rpc, 10)))
            .toList();
    Future.all(trained).await();
    Linear expected = net();
    for (int round = 0; round < 2; round++) {
      List<Tensor> first = afterFiveSteps(expected, 1);
      List<Tensor> second = afterFiveSteps(expected, 2);
      for (int i = 0; i < first.size(); i++) {
        Tensor mean = first.get(i).add(second.get(i)).scale(0.5f);
        expected.parameters().get(i).replace(now -> now.add(mean).scale(0.5f));
      }
    }
    float[] values = trained.get(0).result().values();
    assertThat(values).isEqualTo(trained.get(1).result().values());
    assertThat(values)
        .containsExactly(expected.namedParameters().get("weight").values(), within(1e-6f));
  }

  private static List<Tensor> afterFiveSteps(Linear start, int rank) {
    Linear net = net();
    net.load(start.state());
    var optimizer = new Sgd(0.01).over(net.parameters());
    for (int step = 0; step < 5; step++) {
      optimizer.zeroGrad();
      net.forward(Tensor.ones(8, 4).scale(rank)).square().mean().backward();
      optimizer.step();
    }
    return net.parameters().stream().map(Tensor::detach).toList();
  }

  @Test
  @WithWorkers(3)
  void theConsistencyChangesWhileTrainersWait(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (var one = ParameterStore.join(world.worker(1), net(), new Sgd(1), OPTIONS);
        var two = ParameterStore.join(world.worker(2), net(), new Sgd(1), OPTIONS)) {
      Future<Void> first = one.push(1);
      two.setConsistency("ssp:1").await();
      first.await();
      two.setConsistency("bsp").await();
      Future<Void> second = one.push(1);
      two.push(1).await();
      Future.all(two.push(1), second).await();
      assertThatThrownBy(() -> two.setConsistency("async").await())
          .hasMessageContaining("async instead of bsp; expected bsp or ssp:T, before and after");
    }
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
