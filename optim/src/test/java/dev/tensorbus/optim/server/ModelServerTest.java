// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Workers of the world that read a served model by remote calls, or train it on servers.
class ModelServerTest {
  private static final Batching ALONE = new Batching(1, Duration.ZERO);

  private final Vertx vertx = Vertx.vertx();
  private Rpc owner;
  private Rpc trainer;

  @Remote
  static ModelServer serverOf(int trainers, String consistency) {
    return stored(Rpc.current(), trainers, consistency, new Sgd(1));
  }

  private static ModelServer stored(
      Rpc rpc, int trainers, String consistency, OptimizerSpec optimizer) {
    StoreOptions options =
        StoreOptions.of("owner").withTrainers(trainers).withConsistency(consistency);
    return ModelServer.ofStore(rpc, ModelServerTest::zeros, Shape.of(1), optimizer, options);
  }

  private static Linear zeros() {
    Linear model = new Linear(1, 1, new SplittableRandom(1));
    model.parameters().forEach(parameter -> parameter.replace(old -> old.scale(0)));
    return model;
  }

  @BeforeEach
  void open() {
    RpcOptions world = RpcOptions.worldSize(2).withTimeout(Duration.ofMinutes(1));
    owner = Rpc.open(vertx, "owner", world.withRank(0)).await();
    trainer = Rpc.open(vertx, "trainer", world.withRank(1)).await();
    Future.all(owner.ready(), trainer.ready()).await();
    ParameterServer.start(owner, ServerOptions.of("owner"));
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  /// A server that two trainers, `a` and `b`, have joined.
  private RRef<ModelServer> serveAAndB(String consistency) {
    RRef<ModelServer> server = serve(2, consistency);
    server.rpcSync(ModelServer::join, "a");
    server.rpcSync(ModelServer::join, "b");
    return server;
  }

  private RRef<ModelServer> serve(int trainers, String consistency) {
    return trainer.remote("owner", ModelServerTest::serverOf, trainers, consistency);
  }

  private static double weight(RRef<ModelServer> server) {
    PulledParameters now = server.rpcSync(ModelServer::pull, List.of("weight"), 0L);
    return now.tensors().get("weight").item();
  }

  private static Push push(String name, float gradient) {
    return new Push(
        name, Map.of("weight", Tensor.of(Shape.of(1, 1), new float[] {gradient})), 1, 1);
  }

  @Test
  void aModelOfThisWorkerIsReadWhileItsOwnTrainersStepIt() {
    Linear model = zeros();
    Linear twin = zeros();
    try (ModelServer local =
        new ModelServer(model, new Predictor(twin, twin::forward, Shape.of(1)), ALONE)) {
      RRef<ModelServer> server = owner.rref(local);
      PulledParameters before = server.rpcSync(ModelServer::pull, List.of(), 0L);
      assertThat(before.tensors()).containsOnlyKeys("weight", "bias");
      model.parameters().getFirst().update(values -> new float[] {3});
      PulledParameters after =
          server.rpcSync(ModelServer::pull, List.of("weight"), before.version());
      assertThat(after.version()).isGreaterThan(before.version());
      assertThat(after.tensors().get("weight").item()).isEqualTo(3);
      assertThat(server.rpcSync(ModelServer::pull, List.of(), after.version()).tensors()).isEmpty();
      assertThat(local.predictions().predict(Tensor.ones(2, 1)).join().rows().values())
          .containsExactly(3, 3);
    }
  }

  @Test
  void aModelOfThisWorkerTakesNoTrainers() {
    Linear twin = zeros();
    try (ModelServer server =
        new ModelServer(zeros(), new Predictor(twin, twin::forward, Shape.of(1)), ALONE)) {
      for (ThrowingCallable request :
          List.<ThrowingCallable>of(
              () -> server.join("a"), () -> server.push(push("a", 1)), server::trained)) {
        assertThatThrownBy(request)
            .isInstanceOf(ModelServerException.class)
            .hasMessage(
                "this model is read-only, since its parameters are not on servers; create it by"
                    + " ModelServer.ofStore");
      }
    }
  }

  @Test
  void theGradientsOfAllNamesOfATiedParameterAddUp() {
    Supplier<Sequential> tied =
        () -> {
          Linear linear = zeros();
          return new Sequential(linear, linear);
        };
    try (ModelServer server =
        ModelServer.ofStore(owner, tied, Shape.of(1), new Sgd(1), StoreOptions.of("owner"))) {
      server.join("a");
      server
          .push(new Push("a", Map.of("0.bias", Tensor.of(2), "1.bias", Tensor.of(20)), 1, 1))
          .await();
      assertThat(server.pull(List.of("1.bias"), 0).tensors().get("1.bias").item()).isEqualTo(-22);
    }
  }

  @Test
  void aStepIsTheMeanOfThePushesOfAllTrainers() {
    RRef<ModelServer> server = serveAAndB("bsp");
    Future<Long> first = server.rpcAsync(ModelServer::push, push("a", 2));
    long version = server.rpcSync(ModelServer::push, push("b", 4));
    assertThat(first.await()).isEqualTo(version);
    PulledParameters after = server.rpcSync(ModelServer::pull, List.of("weight"), 0L);
    assertThat(after.tensors().get("weight").values()).containsExactly(-3);
  }

  @Test
  void aStepWeighsPushesByTheirExamples() {
    RRef<ModelServer> server = serveAAndB("bsp");
    Push one = new Push("a", push("a", 2).gradients(), 1, 1);
    Push three = new Push("b", push("b", 6).gradients(), 1, 3);
    Future<Long> first = server.rpcAsync(ModelServer::push, one);
    server.rpcSync(ModelServer::push, three);
    first.await();
    PulledParameters after = server.rpcSync(ModelServer::pull, List.of("weight"), 0L);
    assertThat(after.tensors().get("weight").values()).containsExactly(-5); // (2 + 3 * 6) / 4
  }

  @Test
  void withBoundedStalenessAPushIsAppliedAtOnceAndItsAnswerWaitsForTheSlowest() {
    RRef<ModelServer> server = serveAAndB("ssp:1");
    server.rpcSync(ModelServer::push, push("a", 1));
    Future<Long> ahead = server.rpcAsync(ModelServer::push, push("a", 2));
    while (weight(server) != -3) {
      Thread.onSpinWait();
    }
    assertThat(ahead.isComplete()).isFalse();
    server.rpcSync(ModelServer::push, push("b", 4));
    ahead.await();
    assertThat(weight(server)).isEqualTo(-7);
  }

  @Test
  void withABackupWorkerThePushOfTheSlowestIsAnsweredAndDropped() {
    RRef<ModelServer> server = serveAAndB("bsp:1");
    long version = server.rpcSync(ModelServer::push, push("a", 1));
    assertThat(server.rpcSync(ModelServer::push, push("b", 2))).isEqualTo(version);
    assertThat(weight(server)).isEqualTo(-1);
    server.rpcSync(ModelServer::push, push("b", 4));
    assertThat(weight(server)).isEqualTo(-5);
  }

  @Test
  void aQuorumTakesItsStepAfterTheGraceTimeAndDropsLaterPushes() {
    RRef<ModelServer> server = serveAAndB("quorum:1:20ms");
    long version = server.rpcSync(ModelServer::push, push("a", 1));
    assertThat(server.rpcSync(ModelServer::push, push("b", 2))).isEqualTo(version);
    assertThat(weight(server)).isEqualTo(-1);
  }

  @Test
  void aQuorumTakesItsStepAtOnceIfAllHavePushed() {
    RRef<ModelServer> server = serveAAndB("quorum:1:999999999ms");
    Future<Long> first = server.rpcAsync(ModelServer::push, push("a", 2));
    server.rpcSync(ModelServer::push, push("b", 4));
    first.await();
    assertThat(weight(server)).isEqualTo(-3);
  }

  @Test
  void aPushIsAppliedAlsoIfAListenerThrows() {
    try (ModelServer server = stored(owner, 1, "bsp", new Sgd(1))) {
      server.onStep(
          step -> {
            throw new IllegalStateException("a listener of the test");
          });
      server.join("a");
      server.push(push("a", 3)).await();
      assertThat(server.pull(List.of("weight"), 0).tensors().get("weight").item()).isEqualTo(-3);
    }
  }

  @ParameterizedTest
  @CsvSource({"ssp:4, 0.9, true", "async, 0.9, true", "async, 0, false", "bsp, 0.9, false"})
  void momentumTogetherWithStaleGradientsIsWarnedOf(
      String consistency, double momentum, boolean isWarnedOf) {
    Logger logger = Logger.getLogger(StaleMomentum.class.getName());
    List<String> warnings = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            warnings.add(new SimpleFormatter().formatMessage(line));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try (ModelServer server = stored(owner, 2, consistency, new Sgd(0.1).withMomentum(momentum))) {
      assertThat(server.version()).isOne();
      assertThat(warnings.stream().anyMatch(line -> line.startsWith(consistency + " with Sgd[")))
          .isEqualTo(isWarnedOf);
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void asManyBackupWorkersAsTrainersAreRefused() {
    assertThatThrownBy(() -> stored(owner, 2, "bsp:2", new Sgd(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bsp:2 with 2 trainers; expected at least 3");
  }

  @Test
  void aStepGoesOnWithoutATrainerThatLeaves() {
    RRef<ModelServer> server = serveAAndB("bsp");
    Future<Long> first = server.rpcAsync(ModelServer::push, push("a", 2));
    server.rpcSync(ModelServer::leave, "b");
    first.await();
    PulledParameters after = server.rpcSync(ModelServer::pull, List.of("weight"), 0L);
    assertThat(after.tensors().get("weight").values()).containsExactly(-2);
  }

  @Test
  void aPushThatWaitsWhenTheModelServerIsClosedIsAnswered() {
    Future<Long> waiting;
    try (ModelServer server = stored(owner, 2, "bsp", new Sgd(1))) {
      server.join("a");
      server.join("b");
      waiting = server.push(push("a", 2));
    }
    assertThat(waiting.otherwiseEmpty().toCompletionStage()) // with a version if b left first
        .succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void theTrainingHasEndedWhenAllExpectedTrainersHaveLeft() {
    try (ModelServer server = stored(owner, 2, "async", new Sgd(1))) {
      Future<Void> trained = server.trained();
      server.leave("stranger");
      server.join("a");
      server.leave("a");
      assertThat(trained.isComplete()).isFalse(); // b has yet to come
      server.join("b");
      assertThat(trained.isComplete()).isFalse();
      server.lose("b");
      assertThat(trained.succeeded()).isTrue();
    }
  }

  @Test
  void theTrainingHasFailedIfAllTrainersAreLost() {
    try (ModelServer server = stored(owner, 2, "async", new Sgd(1))) {
      for (String name : List.of("a", "b")) {
        server.join(name);
        server.lose(name);
      }
      assertThatThrownBy(() -> server.trained().await())
          .hasMessage(
              "all trainers were lost before the training finished: a, b; restart the whole world");
    }
  }

  @Test
  void aNameThatTheModelDoesNotHaveIsRefused() {
    RRef<ModelServer> server = serve(1, "bsp");
    assertThatThrownBy(() -> server.rpcSync(ModelServer::pull, List.of("scale"), 0L))
        .hasMessageContaining("no parameter \"scale\"; the model has weight, bias");
  }
}
