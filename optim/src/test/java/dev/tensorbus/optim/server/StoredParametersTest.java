// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Trainers outside the world that train parameters on servers, through model servers.
class StoredParametersTest {
  private static final StoreOptions TWO = StoreOptions.of("worker0").withTrainers(2);

  private static Linear zeros() {
    Linear net = new Linear(2, 1, new Random(1));
    net.parameters().forEach(parameter -> parameter.replace(now -> now.scale(0)));
    return net;
  }

  private static ModelServer serve(Rpc rpc, StoreOptions options) {
    return serve(rpc, new Sgd(1), options);
  }

  private static ModelServer serve(Rpc rpc, OptimizerSpec optimizer, StoreOptions options) {
    return ModelServer.ofStore(rpc, StoredParametersTest::zeros, Shape.of(2), optimizer, options);
  }

  private static Push push(String trainer, float gradient) {
    return new Push(trainer, Map.of("weight", Tensor.ones(1, 2).scale(gradient)), 0.5f, 1);
  }

  private static float weight(ModelServer server) {
    return server.pull(List.of("weight"), 0).tensors().get("weight").values()[0];
  }

  /// A trainer of the world, whose gradients are all -1.
  private static float train(Rpc rpc, int steps, StoreOptions options) {
    try (var store = ParameterStore.join(rpc, zeros(), new Sgd(1), options)) {
      for (int step = 0; step < steps; step++) {
        store.pull().await();
        store
            .model()
            .parameters()
            .forEach(
                parameter -> parameter.setGrad(Tensor.full(parameter.shape(), DType.FLOAT32, -1)));
        store.push(1).await();
        rpc.progress().step(1, 0);
      }
      store.pull().await();
      return store.model().parameters().getFirst().values()[0];
    }
  }

  @Test
  @WithWorkers(3)
  void aTrainerOutsideAndOneOfTheWorldStepTogether(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer server = serve(world.worker(1), TWO)) {
      assertThat(server.pull(List.of(), 0).version()).isOne();
      Future<Float> trained = world.submit(2, rpc -> train(rpc, 20, TWO));
      server.join("a");
      for (int step = 1; step <= 20; step++) {
        assertThat(server.push(push("a", -3)).await()).isEqualTo(step + 1);
      }
      assertThat(trained.await()).isEqualTo(40); // each step adds the mean of 1 and 3
      PulledParameters now = server.pull(List.of(), 0);
      assertThat(now.version()).isEqualTo(21);
      assertThat(now.tensors()).containsOnlyKeys("weight", "bias");
      assertThat(now.tensors().get("weight").values()).containsOnly(40);
      assertThat(now.tensors().get("bias").values()).containsOnly(10); // which `a` has not pushed
      assertThat(server.pull(List.of(), 21).tensors()).isEmpty();
      assertThat(server.predictions().predict(Tensor.ones(1, 2)).join().rows().item())
          .isEqualTo(90);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bsp", "bsp:1", "quorum:1:5ms", "ssp:2", "async"})
  void inAnyModeTrainersComeAndAreLostAndTheOthersGoOn(String consistency) {
    StoreOptions options = TWO.withConsistency(consistency);
    try (var world = new MemoryWorld(3)) {
      ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
      try (ModelServer server = serve(world.worker(1), options)) {
        Future<Float> trained = world.submit(2, rpc -> train(rpc, 30, options));
        for (int life = 0; life < 3; life++) {
          server.join("a");
          for (int step = 0; step < 5; step++) {
            assertThat(server.push(push("a", -1)).await()).isGreaterThan(1);
          }
          Future<Long> _ = server.push(push("a", -1)); // may become a part of a step
          server.lose("a");
        }
        assertThat(trained.await()).isGreaterThanOrEqualTo(30);
        assertThat(server.trainers().present()).isEmpty();
      }
    }
  }

  @Test
  @WithWorkers(3)
  void eachAnsweredPushCountsOnce(MemoryWorld world) {
    StoreOptions options = TWO.withConsistency("async");
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer server = serve(world.worker(1), options)) {
      Future<Float> trained = world.submit(2, rpc -> train(rpc, 50, options));
      server.join("a");
      for (int step = 1; step <= 50; step++) {
        server.push(push("a", -1)).await();
        assertThat(weight(server)).isGreaterThanOrEqualTo(step); // includes its own pushes
      }
      server.leave("a");
      trained.await();
      assertThat(weight(server)).isEqualTo(100);
      assertThat(server.pull(List.of("bias"), 0).tensors().get("bias").item()).isEqualTo(50);
      assertThat(server.version()).isEqualTo(101);
    }
  }

  @Test
  @WithWorkers(4)
  void theTrainersOfAWorkerThatDiesEndWithIt(MemoryWorld world) throws InterruptedException {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    ModelServer server = serve(world.worker(1), TWO);
    Future<Float> trained = world.submit(2, rpc -> train(rpc, 20, TWO));
    server.join("a");
    server.push(push("a", -1)).await();
    world.awaitSteps(2, 1);
    world.kill(1);
    assertThat(trained.await()).isEqualTo(20);
    try (ModelServer other = serve(world.worker(3), TWO)) {
      other.join("a");
      other.push(push("a", -1)).await();
      assertThat(weight(other)).isEqualTo(21);
    }
  }

  @Test
  @WithWorkers(3)
  void aTrainerThatComesBackThroughAnotherWorkerReplacesItsFormerLife(MemoryWorld world) {
    StoreOptions one = StoreOptions.of("worker0");
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer former = serve(world.worker(1), one);
        ModelServer next = serve(world.worker(2), one)) {
      former.join("a");
      former.push(push("a", -1)).await();
      next.join("a");
      next.push(push("a", -1)).await(); // does not wait for the former life
      assertThat(weight(next)).isEqualTo(2);
      assertThatThrownBy(() -> former.push(push("a", -1)).await())
          .hasMessageContaining("a has not joined \"model\", or was lost; join again");
      assertThat(weight(next)).isEqualTo(2);
    }
  }

  @Test
  @WithWorkers(3)
  void aTrainerWithTheNameOfAWorkerDoesNotReplaceIt(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer server = serve(world.worker(1), TWO)) {
      Future<Float> trained = world.submit(2, rpc -> train(rpc, 5, TWO));
      server.join("worker2");
      for (int step = 0; step < 5; step++) {
        server.push(push("worker2", -3)).await();
      }
      assertThat(trained.await()).isEqualTo(10);
    }
  }

  @Test
  @WithWorkers(2)
  void whatDoesNotFitIsRefusedAndChangesNothing(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer server = serve(world.worker(1), StoreOptions.of("worker0"))) {
      assertThatThrownBy(() -> server.push(push("a", 1)))
          .hasMessage("trainer \"a\" has not joined; join before the first push");
      server.join("a");
      assertThatThrownBy(() -> server.join("a"))
          .hasMessage("trainer \"a\" has already joined; choose another name");
      assertThatThrownBy(() -> server.push(named("weight", Tensor.ones(2))))
          .hasMessage("gradient \"weight\" is float32 [2]; expected float32 [1, 2]");
      assertThatThrownBy(() -> server.push(push("a", Float.NaN)))
          .hasMessage(
              "gradient \"weight\" has NaN or infinite values; expected finite values; skip this"
                  + " step");
      assertThatThrownBy(() -> server.push(named("scale", Tensor.ones(2))))
          .hasMessage("no parameter \"scale\"; the model has weight, bias");
      assertThat(server.version()).isOne();
      assertThat(server.push(push("a", -1)).await()).isEqualTo(2);
    }
  }

  private static Push named(String name, Tensor gradient) {
    return new Push("a", Map.of(name, gradient), 0, 1);
  }

  @Test
  @WithWorkers(3)
  void aModelServerWithOtherSettingsThanTheGroupIsRefused(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer server = serve(world.worker(1), TWO);
        ModelServer other = serve(world.worker(2), new Sgd(0.5), TWO)) {
      assertThat(server.version()).isOne();
      assertThatThrownBy(other::version)
          .hasMessageContaining("give all trainers the same model and settings");
      assertThatThrownBy(() -> other.join("a"))
          .hasMessageContaining("give all trainers the same model and settings");
      assertThat(other.trainers().present()).isEmpty();
    }
  }

  @Test
  @WithWorkers(2)
  void aGroupWithShardsIsServedButNobodyJoinsIt(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer server = serve(world.worker(1), TWO.withShards(2))) {
      assertThat(weight(server)).isZero();
      assertThatThrownBy(() -> server.join("a"))
          .hasMessage(
              "group \"model\" has 2 shards, which only trainers of the world compute; join it"
                  + " without shards");
    }
  }

  @Test
  @WithWorkers(1)
  void requestsSayThatNoServerAnswers(MemoryWorld world) {
    StoreOptions impatient = StoreOptions.of("worker9").withPatience(Duration.ofMillis(20));
    try (ModelServer server = serve(world.worker(0), impatient)) {
      assertThatThrownBy(() -> server.join("a"))
          .isInstanceOf(ModelServerException.class)
          .hasMessageContaining("no parameter server answered");
      assertThatThrownBy(server::version).hasMessageContaining("no parameter server answered");
    }
  }

  @Test
  @WithWorkers(1)
  void aTrainerThatIsInterruptedWhileItJoinsMayJoinAgain(MemoryWorld world)
      throws InterruptedException {
    StoreOptions one = StoreOptions.of("worker0");
    try (ModelServer server = serve(world.worker(0), one)) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread joining =
          Thread.ofVirtual()
              .unstarted(
                  () -> {
                    try {
                      server.join("a"); // waits for the server
                    } catch (CancellationException e) {
                      failure.set(e);
                    }
                  });
      joining.start();
      joining.interrupt();
      joining.join();
      assertThat(failure.get()).hasMessageContaining("was cancelled while it waited");
      assertThat(server.trainers().present()).isEmpty();
      ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
      server.join("b"); // and does not wait for the other one
      server.push(push("b", -1)).await();
      server.push(push("b", -1)).await();
      assertThat(weight(server)).isEqualTo(2);
    }
  }

  @Test
  @WithWorkers(2)
  void aStepWhoseSumIsNotFiniteIsSkippedAndTheGroupGoesOn(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    try (ModelServer server = serve(world.worker(1), TWO)) {
      server.join("a");
      server.join("b");
      Future<Long> first = server.push(push("a", 3e38f));
      server.push(push("b", 3e38f)).await();
      first.await();
      assertThat(weight(server)).isZero();
      Future<Long> second = server.push(push("a", -1));
      server.push(push("b", -1)).await();
      second.await();
      assertThat(weight(server)).isOne();
    }
  }

  @Test
  @WithWorkers(2)
  void listenersAreToldOfThePushesOfThisServer(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    AtomicLong version = new AtomicLong();
    try (ModelServer server = serve(world.worker(1), StoreOptions.of("worker0"))) {
      server.onStep(step -> version.set(step.version()));
      server.join("a");
      assertThat(server.push(push("a", -1)).await()).isEqualTo(version.get());
    }
  }
}
