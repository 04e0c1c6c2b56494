// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.Functions.Waits;
import dev.tensorbus.grpc.gateway.GatewayClient.Pulled;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.grpc.v1.PushMode;
import dev.tensorbus.grpc.v1.TrainerState;
import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Training through the gateway, by two trainers that are expected.
class GatewayTrainingTest {
  private final TestGateway world = new TestGateway(GatewayOptions.onLoopback(0), 2);
  private final GatewayClient client = world.client();

  @AfterEach
  void close() {
    world.close();
  }

  private static Map<String, Tensor> gradients(float value) {
    return Map.of("weight", Tensor.ones(2, 3).scale(value));
  }

  @Test
  void pullGivesAllParametersThenOnlyWhatIsNewer() {
    Pulled all = client.pull(0);
    assertThat(all.names()).containsExactly("weight", "bias");
    assertThat(all.tensors().getFirst().tensor().values()).isEqualTo(world.weight().values());
    assertThat(client.pull(all.version()).names()).isEmpty();
    assertThat(client.pull(0, "bias").names()).containsExactly("bias");

    world.model.parameters().getFirst().update(float[]::clone); // by a trainer of the world
    Pulled newer = client.pull(all.version());
    assertThat(newer.version()).isGreaterThan(all.version());
    assertThat(newer.names()).containsExactly("weight", "bias");
  }

  @Test
  void aPushAtOnceIsAStep() {
    Tensor before = world.weight();
    var pushes = client.pushes();
    GatewayClient.push(pushes, "a", PushMode.PUSH_MODE_AT_ONCE, gradients(1));
    long version = pushes.next().getVersion();
    assertThat(world.weight().values())
        .isEqualTo(before.sub(Tensor.ones(2, 3).scale((float) TestGateway.RATE)).values());
    assertThat(client.pull(0).version()).isEqualTo(version);
  }

  @Test
  void aRoundIsOneStepByTheMeanOfItsPushes() {
    Tensor before = world.weight();
    var a = client.pushes();
    var b = client.pushes();
    GatewayClient.push(a, "a", PushMode.PUSH_MODE_ROUND, gradients(1));
    GatewayClient.push(b, "b", PushMode.PUSH_MODE_ROUND, gradients(3));
    assertThat(a.next().getVersion()).isEqualTo(b.next().getVersion());
    assertThat(world.weight().values())
        .isEqualTo(before.sub(Tensor.ones(2, 3).scale(2 * (float) TestGateway.RATE)).values());
  }

  @Test
  void aPushThatIsNotFiniteIsDroppedAndCountedByOptionAndItsRoundGoesOn() {
    world.served.skipNonFinite();
    Tensor before = world.weight();
    var a = client.pushes();
    var b = client.pushes();
    GatewayClient.push(a, "a", PushMode.PUSH_MODE_ROUND, gradients(Float.NaN));
    GatewayClient.push(b, "b", PushMode.PUSH_MODE_ROUND, gradients(3));
    assertThat(a.next().getVersion()).isEqualTo(b.next().getVersion());
    assertThat(world.weight().values())
        .isEqualTo(before.sub(Tensor.ones(2, 3).scale(3 * (float) TestGateway.RATE)).values());
    long version = client.pull(0).version();
    GatewayClient.push(a, "a", PushMode.PUSH_MODE_AT_ONCE, gradients(Float.POSITIVE_INFINITY));
    assertThat(a.next().getVersion()).isEqualTo(version);
    assertThat(world.served.skipped()).isEqualTo(2);
  }

  @Test
  void aRoundWhoseSumIsNotFiniteIsRefusedAndTheModelStaysAsItIs() {
    float[] before = world.weight().values();
    var a = client.pushes();
    var b = client.pushes();
    GatewayClient.push(a, "a", PushMode.PUSH_MODE_ROUND, gradients(3e38f));
    GatewayClient.push(b, "b", PushMode.PUSH_MODE_ROUND, gradients(3e38f));
    for (var each : List.of(a, b)) {
      assertThat(
              GatewayClient.describe(
                  catchThrowableOfType(StatusRuntimeException.class, each::next)))
          .startsWith("INVALID_ARGUMENT [BAD_GRADIENT]: step: ");
    }
    assertThat(world.weight().values()).isEqualTo(before);
  }

  @Test
  void aRoundGoesOnWithoutTheTrainerThatIsKilled() {
    Talk<WatchRequest, WatchResponse> watch = client.watch();
    var a = client.pushes();
    GatewayClient.push(a, "a", PushMode.PUSH_MODE_ROUND, gradients(1));
    GatewayClient doomed = world.client();
    var b = doomed.pushes();
    GatewayClient.push(b, "b", PushMode.PUSH_MODE_AT_ONCE, gradients(1));
    assertThat(b.next().getVersion()).isPositive();
    doomed.disconnect();
    assertThat(a.next().getVersion()).isPositive();
    assertThat(world.gateway).isNotNull();
    awaitState(watch, "b", TrainerState.TRAINER_STATE_LOST);
  }

  private static void awaitState(
      Talk<WatchRequest, WatchResponse> watch, String trainer, TrainerState state) {
    WatchResponse event;
    do {
      event = watch.next();
    } while (!(event.getTrainer().getTrainer().equals(trainer)
        && event.getTrainer().getState() == state));
  }

  @Test
  void whoWatchesSeesTrainersAndSteps() {
    Talk<WatchRequest, WatchResponse> watch = client.watch();
    var a = client.pushes();
    GatewayClient.push(a, "a", PushMode.PUSH_MODE_AT_ONCE, gradients(1));
    long version = a.next().getVersion();
    a.halfClose();
    assertThat(a.next()).isNull();
    assertThat(watch.next().getTrainer().getState()).isEqualTo(TrainerState.TRAINER_STATE_JOINED);
    var step = watch.next().getStep();
    assertThat(step.getTrainer()).isEqualTo("a");
    assertThat(step.getLoss()).isEqualTo(0.5f);
    assertThat(step.getVersion()).isEqualTo(version);
    assertThat(watch.next().getTrainer().getState()).isEqualTo(TrainerState.TRAINER_STATE_ENDED);
    world.helper.leave().await();
    assertThat(watch.next().getWorkerLost().getName()).isEqualTo("helper");
    world.gateway.close().await();
    assertThat(watch.next()).isNull();
  }

  @Test
  void aModelWhoseTrainersAreAllLostWasNotTaughtToTheEnd() {
    try (TestGateway one = new TestGateway(GatewayOptions.onLoopback(0), 1)) {
      var a = one.client().pushes();
      GatewayClient.push(a, "a", PushMode.PUSH_MODE_AT_ONCE, gradients(1));
      assertThat(a.next().getVersion()).isPositive();
      a.cancel();
      assertThatThrownBy(() -> one.served.trained().await())
          .hasMessage(
              "no trainer is left: a was lost before the training finished; restart the whole"
                  + " world");
    }
  }

  @Test
  void aPushThatIsCancelledIsTakenOutOfItsRound() {
    Tensor before = world.weight();
    Talk<WatchRequest, WatchResponse> watch = client.watch();
    Talk<PushGradientsRequest, PushGradientsResponse> a = client.pushes();
    GatewayClient.push(a, "a", PushMode.PUSH_MODE_ROUND, gradients(100));
    awaitState(watch, "a", TrainerState.TRAINER_STATE_JOINED);
    a.cancel();
    awaitState(watch, "a", TrainerState.TRAINER_STATE_LOST);
    var b = client.pushes();
    GatewayClient.push(b, "b", PushMode.PUSH_MODE_ROUND, gradients(1));
    assertThat(b.next().getVersion()).isPositive();
    assertThat(world.weight().values())
        .isEqualTo(before.sub(Tensor.ones(2, 3).scale((float) TestGateway.RATE)).values());
  }

  @Test
  void aTrainerWhoseProcessIsKilledIsLostAndItsCallsAreGivenUpAndItMayComeBack() throws Exception {
    List<Waits> waits =
        Stream.of(world.server, world.helper)
            .map(worker -> worker.shared(Waits.class, Waits::new))
            .toList();
    Talk<WatchRequest, WatchResponse> watch = client.watch();
    List<String> port = List.of(Integer.toString(world.gateway.port()));
    Process doomed = Python.start("doomed.py", port);
    try {
      assertThat(doomed.inputReader().readLine()).isEqualTo("pushed");
      for (Waits each : waits) {
        assertThat(each.begun().await(1, TimeUnit.MINUTES)).isTrue();
      }
    } finally {
      doomed.destroyForcibly();
    }
    for (Waits each : waits) {
      assertThat(each.ended().await(1, TimeUnit.MINUTES)).isTrue();
    }
    awaitState(watch, "doomed", TrainerState.TRAINER_STATE_LOST);
    var again = client.pushes();
    GatewayClient.push(again, "doomed", PushMode.PUSH_MODE_AT_ONCE, gradients(1));
    assertThat(again.next().getVersion()).isPositive();
  }

  @Test
  void aWorkerThatLeavesInTheMiddleOfACallIsToldOf() throws InterruptedException {
    Waits waits = world.helper.shared(Waits.class, Waits::new);
    Talk<CallRequest, CallResponse> talk =
        new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
    CallHead head = CallHead.newBuilder().setWorker("helper").setFunction("wait").build();
    talk.send(CallRequest.newBuilder().setHead(head).build());
    talk.halfClose();
    assertThat(waits.begun().await(30, TimeUnit.SECONDS)).isTrue();
    world.helper.leave().await();
    StatusRuntimeException error = catchThrowableOfType(StatusRuntimeException.class, talk::next);
    assertThat(GatewayClient.describe(error))
        .isEqualTo(
            "UNAVAILABLE [WORKER_LOST]: helper left while server waited for Functions.await; the"
                + " method may have run");
  }
}
