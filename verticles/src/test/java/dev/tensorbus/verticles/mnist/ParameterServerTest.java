// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.verticles.TestWorld;
import dev.tensorbus.verticles.WorkerObjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class ParameterServerTest {
  private static ParameterServer serverOf(MnistNet net, Optimizer optimizer, int trainers) {
    return new ParameterServer(net, net::forward, optimizer, trainers, () -> {});
  }

  @Test
  void aTrainerThatAsksBeforeTheServerIsMadeWaitsForIt() {
    Vertx vertx = new MemoryCluster().start();
    try {
      RpcOptions world = RpcOptions.worldSize(2).withHeartbeatTimeout(TestWorld.SILENCE);
      Rpc server = Rpc.open(vertx, "parameter-server", world.withRank(0)).await();
      Rpc trainer = Rpc.open(vertx, "trainer1", world.withRank(1)).await();
      RRef<ParameterServer> early = trainer.remote("parameter-server", ParameterServer::shared);
      MnistNet net = new MnistNet(new SplittableRandom(1));
      ParameterServer provided = serverOf(net, new Sgd(0.03).over(net.parameters()), 1);
      WorkerObjects.put(server, ParameterServer.class, provided);
      assertThat(early.rpcSync(ParameterServer::parameterRefs)).hasSize(8);
    } finally {
      vertx.close().await();
    }
  }

  /// A world of a server and two trainers, each on a host of its own.
  private static final class World implements AutoCloseable {
    private final MemoryCluster cluster = new MemoryCluster();
    private final Map<Integer, Vertx> hosts = new HashMap<>();
    private final Map<Integer, Rpc> workers = new HashMap<>();
    private final MnistNet net = new MnistNet(new SplittableRandom(1));
    private final BlockingQueue<WorkerInfo> lost = new LinkedBlockingQueue<>();
    private final Optimizer optimizer = new Sgd(0.03).withMomentum(0.5).over(net.parameters());
    private final ParameterServer server = serverOf(net, optimizer, 2);

    World() {
      Rpc rpc = start(0, "parameter-server");
      WorkerObjects.put(rpc, ParameterServer.class, server);
      rpc.onWorkerLost(server::lose);
      rpc.onWorkerJoined(server::welcome);
      rpc.onWorkerLost(lost::add); // after the server
      startTrainer(1);
      startTrainer(2);
    }

    private Rpc start(int rank, String name) {
      hosts.put(rank, cluster.start());
      RpcOptions options =
          RpcOptions.worldSize(3).withRank(rank).withHeartbeatTimeout(TestWorld.SILENCE);
      workers.put(rank, Rpc.open(hosts.get(rank), name, options).await());
      return workers.get(rank);
    }

    private static <T> T take(BlockingQueue<T> queue) {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void startTrainer(int rank) {
      start(rank, "trainer" + rank);
    }

    void kill(int rank) {
      cluster.kill(hosts.get(rank)).await();
      assertThat(take(lost).id()).isEqualTo(rank);
    }

    RRef<ParameterServer> server(int rank) {
      return workers.get(rank).remote("parameter-server", ParameterServer::shared);
    }

    /// Whether this trainer is to evaluate the model.
    Future<Boolean> finish(int rank) {
      return server(rank).rpcAsync(ParameterServer::finish);
    }

    void evaluated(int rank) {
      server(rank).rpcSync(ParameterServer::evaluated);
    }

    @Override
    public void close() {
      hosts.values().forEach(vertx -> vertx.close().otherwiseEmpty().await());
    }
  }

  @Test
  void allTrainersStepOneOptimizer() {
    try (World world = new World()) {
      for (int rank = 1; rank <= 2; rank++) {
        new Training(world.workers.get(rank), "parameter-server", 0.03, Progress.NONE)
            .step(Batch.of(StrokeDigits.draw(1, new SplittableRandom(rank))));
      }
      assertThat(world.optimizer.state().groups().getFirst().memories())
          .allMatch(memory -> memory.steps() == 2);
    }
  }

  @Test
  void theServerFailsWhenNoTrainerIsLeft() {
    try (World world = new World()) {
      world.kill(1);
      assertThat(world.server.trained().isComplete()).isFalse();
      world.kill(2);
      assertThatThrownBy(() -> world.server.trained().await())
          .hasMessage(
              "no trainer is left: trainer1, trainer2 were lost before the model was evaluated;"
                  + " restart the whole world");
    }
  }

  @Test
  void theServerWaitsUntilTheModelIsEvaluated() {
    try (World world = new World()) {
      Future<Boolean> other = world.finish(2);
      assertThat(world.finish(1).await()).isTrue();
      assertThat(world.server.trained().isComplete()).isFalse();
      world.evaluated(1);
      world.server.trained().await();
      assertThat(other.await()).isFalse();
    }
  }

  @Test
  void anotherTrainerEvaluatesWhenTheFirstDiesAndTheServerFailsWhenNoneIsLeft() {
    try (World world = new World()) {
      Future<Boolean> other = world.finish(2);
      assertThat(world.finish(1).await()).isTrue();
      world.kill(1);
      assertThat(other.await()).isTrue();
      assertThat(world.server.trained().isComplete()).isFalse();
      world.kill(2);
      assertThatThrownBy(() -> world.server.trained().await())
          .hasMessageStartingWith("no trainer is left: trainer1, trainer2 were lost before");
    }
  }

  @Test
  void aTrainerThatIsStartedAgainIsWaitedForAndNobodyHangsWhenAnotherDies() {
    try (World world = new World()) {
      world.kill(1);
      world.startTrainer(1);
      Future<Boolean> second = world.finish(2);
      assertThat(world.finish(1).await()).isTrue();
      world.evaluated(1);
      assertThat(second.await()).isFalse();
    }
    try (World world = new World()) {
      world.kill(1);
      world.startTrainer(1);
      world.kill(2);
      assertThat(world.server.trained().isComplete()).isFalse();
      assertThat(world.finish(1).await()).isTrue();
      world.evaluated(1);
      world.server.trained().await();
    }
  }

  @Test
  void aTrainerThatIsStartedAgainAfterTheTrainingIsToldSoAndNobodyWaitsForIt() {
    try (World world = new World()) {
      world.kill(1);
      assertThat(world.finish(2).await()).isTrue();
      world.startTrainer(1);
      assertThatThrownBy(() -> world.server(1).rpcSync(ParameterServer::parameterRefs))
          .hasMessageContaining(
              "the training has finished; restart the whole world to train again");
      world.evaluated(2);
      world.server.trained().await();
    }
  }
}
