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
import dev.tensorbus.optim.server.consistency.Consistency;
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
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Trainers of the world that train a served model through remote calls.
class ModelServerTest {
  private final Vertx vertx = Vertx.vertx();
  private Rpc owner;
  private Rpc trainer;

  @Remote
  static ModelServer serverOf(int trainers, String consistency) {
    return serverWith(trainers, consistency, new Sgd(1));
  }

  private static ModelServer serverWith(int trainers, String consistency, OptimizerSpec optimizer) {
    Linear model = new Linear(1, 1, new SplittableRandom(1));
    model.parameters().forEach(parameter -> parameter.replace(old -> old.scale(0)));
    Linear twin = new Linear(1, 1, new SplittableRandom(1));
    Predictor predictor = new Predictor(twin, twin::forward, Shape.of(1));
    return new ModelServer(
        model,
        predictor,
        optimizer.over(model.parameters()),
        trainers,
        Consistency.parse(consistency),
        new Batching(1, Duration.ZERO));
  }

  @BeforeEach
  void open() {
    RpcOptions world = RpcOptions.worldSize(2).withTimeout(Duration.ofMinutes(1));
    owner = Rpc.open(vertx, "owner", world.withRank(0)).await();
    trainer = Rpc.open(vertx, "trainer", world.withRank(1)).await();
    Future.all(owner.ready(), trainer.ready()).await();
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
  void aServerOfANetworkPredictsWithItsOptimizersSteps() {
    try (ModelServer server =
        ModelServer.of(
            () -> new Linear(1, 1, new SplittableRandom(1)), Shape.of(1), new Sgd(1), 1)) {
      Tensor examples = Tensor.of(0).reshape(1, 1);
      float before = server.predictions().predict(examples).join().rows().values()[0];
      server.push(new Push("a", Map.of("bias", Tensor.of(-1)), 0, 1)).await();
      float after = server.predictions().predict(examples).join().rows().values()[0];
      assertThat(after).isEqualTo(before + 1);
    }
  }

  @Test
  void aPushIsAStepAndAPullReturnsItsVersion() {
    RRef<ModelServer> server = serve(0, "bsp");
    PulledParameters before = server.rpcSync(ModelServer::pull, List.of(), 0L);
    assertThat(before.tensors()).containsOnlyKeys("weight", "bias");
    long version = server.rpcSync(ModelServer::push, push("", 2));
    PulledParameters after = server.rpcSync(ModelServer::pull, List.of("weight"), before.version());
    assertThat(after.version()).isEqualTo(version).isGreaterThan(before.version());
    assertThat(after.tensors().get("weight").values()).containsExactly(-2);
    assertThat(server.rpcSync(ModelServer::pull, List.of(), version).tensors()).isEmpty();
  }

  @Test
  void theGradientsOfAllNamesOfATiedParameterAddUp() {
    Linear linear = new Linear(1, 1, new SplittableRandom(1));
    Sequential tied = new Sequential(linear, linear);
    Predictor predictor = new Predictor(tied, tied::forward, Shape.of(1));
    float before = linear.parameters().getLast().item();
    try (ModelServer server =
        new ModelServer(
            tied,
            predictor,
            new Sgd(1).over(tied.parameters()),
            0,
            new Batching(1, Duration.ZERO))) {
      server.push(new Push("", Map.of("0.bias", Tensor.of(2), "1.bias", Tensor.of(20)), 1, 1));
      assertThat(linear.parameters().getLast().item()).isEqualTo(before - 22);
    }
  }

  @Test
  void aRoundIsOneStepByTheMeanOfAllTrainers() {
    RRef<ModelServer> server = serveAAndB("bsp");
    Future<Long> first = server.rpcAsync(ModelServer::pushRound, push("a", 2));
    long version = server.rpcSync(ModelServer::pushRound, push("b", 4));
    assertThat(first.await()).isEqualTo(version);
    PulledParameters after = server.rpcSync(ModelServer::pull, List.of("weight"), 0L);
    assertThat(after.tensors().get("weight").values()).containsExactly(-3);
  }

  @Test
  void aRoundWeighsPushesByTheirExamples() {
    RRef<ModelServer> server = serveAAndB("bsp");
    Push one = new Push("a", push("a", 2).gradients(), 1, 1);
    Push three = new Push("b", push("b", 6).gradients(), 1, 3);
    Future<Long> first = server.rpcAsync(ModelServer::pushRound, one);
    server.rpcSync(ModelServer::pushRound, three);
    first.await();
    PulledParameters after = server.rpcSync(ModelServer::pull, List.of("weight"), 0L);
    assertThat(after.tensors().get("weight").values()).containsExactly(-5); // (2 + 3 * 6) / 4
  }

  @Test
  void withBoundedStalenessAPushIsAppliedAtOnceAndItsAnswerWaitsForTheSlowest() {
    RRef<ModelServer> server = serveAAndB("ssp:1");
    server.rpcSync(ModelServer::pushRound, push("a", 1));
    Future<Long> ahead = server.rpcAsync(ModelServer::pushRound, push("a", 2));
    while (weight(server) != -3) {
      Thread.onSpinWait();
    }
    assertThat(ahead.isComplete()).isFalse();
    server.rpcSync(ModelServer::pushRound, push("b", 4));
    ahead.await();
    assertThat(weight(server)).isEqualTo(-7);
  }

  @Test
  void withABackupWorkerThePushOfTheSlowestIsAnsweredAndDropped() {
    RRef<ModelServer> server = serveAAndB("bsp:1");
    long version = server.rpcSync(ModelServer::pushRound, push("a", 1));
    assertThat(server.rpcSync(ModelServer::pushRound, push("b", 2))).isEqualTo(version);
    assertThat(weight(server)).isEqualTo(-1);
    server.rpcSync(ModelServer::pushRound, push("b", 4));
    assertThat(weight(server)).isEqualTo(-5);
  }

  @Test
  void aQuorumTakesItsStepAfterTheGraceTimeAndDropsLaterPushes() {
    RRef<ModelServer> server = serveAAndB("quorum:1:20ms");
    long version = server.rpcSync(ModelServer::pushRound, push("a", 1));
    assertThat(server.rpcSync(ModelServer::pushRound, push("b", 2))).isEqualTo(version);
    assertThat(weight(server)).isEqualTo(-1);
  }

  @Test
  void aQuorumTakesItsStepAtOnceIfAllHavePushed() {
    RRef<ModelServer> server = serveAAndB("quorum:1:999999999ms");
    Future<Long> first = server.rpcAsync(ModelServer::pushRound, push("a", 2));
    server.rpcSync(ModelServer::pushRound, push("b", 4));
    first.await();
    assertThat(weight(server)).isEqualTo(-3);
  }

  @Test
  void aPushIsAppliedAlsoIfAListenerThrows() {
    try (ModelServer server = serverOf(1, "bsp")) {
      server.onStep(
          step -> {
            throw new IllegalStateException("a listener of the test");
          });
      server.join("a");
      server.pushRound(push("a", 3)).await();
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
    try (ModelServer server = serverWith(2, consistency, new Sgd(0.1).withMomentum(momentum))) {
      assertThat(server.version()).isOne();
      assertThat(warnings.stream().anyMatch(line -> line.startsWith(consistency + " with Sgd[")))
          .isEqualTo(isWarnedOf);
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void asManyBackupWorkersAsTrainersAreRefused() {
    assertThatThrownBy(() -> serverOf(2, "bsp:2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bsp:2 with 2 trainers; expected at least 3");
  }

  @Test
  void aRoundGoesOnWithoutATrainerThatLeavesAndWithoutItsPush() {
    RRef<ModelServer> server = serveAAndB("bsp");
    Future<Long> first = server.rpcAsync(ModelServer::pushRound, push("a", 2));
    server.rpcSync(ModelServer::leave, "b");
    first.await();
    PulledParameters after = server.rpcSync(ModelServer::pull, List.of("weight"), 0L);
    assertThat(after.tensors().get("weight").values()).containsExactly(-2);
  }

  @Test
  void whatDoesNotFitIsRefusedAndChangesNothing() {
    RRef<ModelServer> server = serve(0, "bsp");
    long version = server.rpcSync(ModelServer::pull, List.of(), 0L).version();
    Push wrong = new Push("", Map.of("weight", Tensor.ones(2)), 1, 1);
    assertThatThrownBy(() -> server.rpcSync(ModelServer::push, wrong))
        .hasMessageContaining("gradient \"weight\" is float32 [2]; expected float32 [1, 1]");
    assertThatThrownBy(() -> server.rpcSync(ModelServer::push, push("", Float.NaN)))
        .hasMessageContaining("gradient \"weight\" has NaN or infinite values");
    assertThatThrownBy(() -> server.rpcSync(ModelServer::pushRound, push("a", 1)))
        .hasMessageContaining("a round would never complete; push at once instead");
    assertThatThrownBy(() -> server.rpcSync(ModelServer::pull, List.of("scale"), 0L))
        .hasMessageContaining("no parameter \"scale\"; the model has weight, bias");
    assertThat(server.rpcSync(ModelServer::pull, List.of(), 0L).version()).isEqualTo(version);
  }
}
