// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Learners that come through the gateways of two parameter servers, beside two trainers of the
/// world. A third worker is the servers' witness.
@Tag("slow")
class StoreGatewayTest {
  private static final String[] SERVERS = {"worker0", "worker1"};
  private static final StoreOptions FOUR = StoreOptions.of(SERVERS).withTrainers(4);

  private final MemoryWorld world = new MemoryWorld(5);
  private final List<GrpcGateway> gateways = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final AtomicBoolean isOver = new AtomicBoolean();

  @AfterEach
  void close() {
    isOver.set(true);
    channels.forEach(ManagedChannel::shutdownNow);
    world.close();
  }

  private void serve(StoreOptions options) {
    ServerOptions servers = ServerOptions.of(SERVERS).withBackups(1).withWitnesses("worker2");
    IntStream.range(0, 3).forEach(rank -> ParameterServer.start(world.worker(rank), servers));
    for (int rank = 0; rank < 2; rank++) {
      Rpc rpc = world.worker(rank);
      ModelServer model =
          ModelServer.ofStore(rpc, StoreGatewayTest::zeros, Shape.of(2), new Sgd(1), options);
      gateways.add(
          GrpcGateway.open(rpc, GatewayOptions.onLoopback(0), Exports.of().with(model)).await());
    }
  }

  /// The network of docs/grpc/learner.py.
  private static Sequential zeros() {
    var random = new Random(1);
    Sequential net =
        new Sequential(new Linear(2, 16, random), new Relu(), new Linear(16, 4, random));
    net.parameters().forEach(parameter -> parameter.replace(now -> now.scale(0)));
    return net;
  }

  /// The gradients with which a step adds one to all parameters.
  private static Map<String, Tensor> ones() {
    Map<String, Tensor> gradients = new HashMap<>();
    zeros().namedParameters().forEach((name, one) -> gradients.put(name, minusOnes(one)));
    return gradients;
  }

  private static Tensor minusOnes(Tensor parameter) {
    return Tensor.full(parameter.shape(), parameter.dtype(), -1);
  }

  /// Trains until the test is over, and returns the number of steps.
  private int train(Rpc rpc, StoreOptions options) {
    int steps = 0;
    try (var store = ParameterStore.join(rpc, zeros(), new Sgd(1), options)) {
      for (; !isOver.get(); steps++) {
        store.pull().await();
        store.model().parameters().forEach(one -> one.setGrad(minusOnes(one)));
        store.push(1).await();
        rpc.progress().step(1, 0);
      }
    }
    return steps;
  }

  private GatewayClient client(int gateway) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", gateways.get(gateway).port())
            .usePlaintext()
            .build();
    channels.add(channel);
    return new GatewayClient(channel);
  }

  /// Pushes through a gateway.
  private static void learn(
      Talk<PushGradientsRequest, PushGradientsResponse> pushes, String name, int steps) {
    for (int step = 0; step < steps; step++) {
      GatewayClient.push(pushes, name, ones());
      assertThat(pushes.next().getVersion()).isPositive();
    }
  }

  private static float weight(GatewayClient client) {
    Tensor weight = client.pull(0, "0.weight").tensors().getFirst().tensor();
    assertThat(weight.values()).containsOnly(weight.values()[0]);
    return weight.values()[0];
  }

  @ParameterizedTest
  @ValueSource(strings = {"bsp", "ssp:2", "async"})
  void learnersAndAServerAreKilledAndTheOthersGoOnAndEachAnsweredPushCountsOnce(String mode)
      throws InterruptedException {
    StoreOptions options = FOUR.withConsistency(mode);
    serve(options);
    List<Future<Integer>> trained =
        IntStream.of(3, 4)
            .mapToObj(rank -> world.submit(rank, rpc -> train(rpc, options)))
            .toList();
    GatewayClient doomed = client(1);
    GatewayClient first = client(0);
    var a = first.pushes();
    var b = doomed.pushes();
    Thread beside = Thread.startVirtualThread(() -> learn(b, "b", 10));
    learn(a, "a", 10);
    beside.join();
    doomed.disconnect(); // a learner is killed
    learn(a, "a", 10);
    world.kill(0); // the server whose gateway the other learner has
    assertThat(catchThrowableOfType(StatusRuntimeException.class, a::next)).isNotNull();
    GatewayClient second = client(1);
    var again = second.pushes();
    learn(again, "a", 10);
    isOver.set(true);
    again.halfClose();
    assertThat(again.next()).isNull();
    int steps = trained.stream().mapToInt(future -> future.await()).sum();
    if (mode.equals("bsp")) {
      assertThat(weight(second)).isEqualTo(second.pull(0).version() - 1);
    } else {
      assertThat(weight(second)).isEqualTo(steps + 40);
      assertThat(second.pull(0).version()).isEqualTo(steps + 41);
    }
  }

  @Test
  void whatDoesNotFitIsRefusedInOneLine() {
    serve(StoreOptions.of(SERVERS));
    GatewayClient client = client(0);
    assertThat(refusal(client, "a", Map.of("0.bias", Tensor.ones(3))))
        .isEqualTo(
            "INVALID_ARGUMENT [BAD_GRADIENT]: gradient \"0.bias\" is float32 [3]; expected float32"
                + " [16]");
    assertThat(refusal(client, "a", Map.of("2.bias", Tensor.ones(4).scale(Float.NaN))))
        .startsWith("INVALID_ARGUMENT [BAD_GRADIENT]: gradient \"2.bias\" has NaN");
    assertThat(refusal(client, "a", Map.of("5.bias", Tensor.ones(4))))
        .startsWith(
            "NOT_FOUND [UNKNOWN_PARAMETER]: no parameter \"5.bias\"; the model has 0.weight,");
    var a = client.pushes();
    learn(a, "a", 1);
    assertThat(refusal(client, "a", ones()))
        .isEqualTo(
            "ALREADY_EXISTS [TRAINER_IS_THERE]: trainer \"a\" has already joined; choose another"
                + " name");
    learn(a, "a", 1);
    assertThat(weight(client)).isEqualTo(2);
  }

  private static String refusal(
      GatewayClient client, String trainer, Map<String, Tensor> gradients) {
    var pushes = client.pushes();
    GatewayClient.push(pushes, trainer, gradients);
    return GatewayClient.describe(catchThrowableOfType(StatusRuntimeException.class, pushes::next));
  }

  @Test
  void aTorchLearnerGoesOnThroughTheGatewayOfAnotherServerAndMayBeKilled() throws Exception {
    Python.assumeTorch();
    serve(FOUR);
    IntStream.of(3, 4).forEach(rank -> world.submit(rank, rpc -> train(rpc, FOUR)));
    String[] targets =
        gateways.stream().map(gateway -> "localhost:" + gateway.port()).toArray(String[]::new);
    Process doomed = learner("b", 1_000_000, targets[1]);
    Process lasting = learner("a", 60, targets);
    try {
      awaitStep(doomed, 10);
      awaitStep(lasting, 20);
      doomed.destroyForcibly();
      awaitStep(lasting, 30);
      world.kill(0);
      awaitStep(lasting, 60);
      assertThat(lasting.waitFor()).isZero();
      assertThat(client(1).pull(0).version()).isGreaterThan(60);
    } finally {
      doomed.destroyForcibly();
      lasting.destroyForcibly();
    }
  }

  private static Process learner(String name, int steps, String... targets) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(name, Integer.toString(steps)));
    arguments.addAll(List.of(targets));
    return Python.start("../../../../../../../docs/grpc/learner.py", arguments);
  }

  private static void awaitStep(Process learner, int step) throws IOException {
    BufferedReader output = learner.inputReader();
    StringBuilder all = new StringBuilder();
    String line;
    do {
      line = output.readLine();
      all.append(line).append('\n');
      assertThat(line).as("output: %s", all).isNotNull();
    } while (!line.startsWith("step " + step + " "));
  }
}
