// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.Functions.Waits;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.grpc.v1.TrainerState;
import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Training through the gateway of a worker that has the parameters, too.
class GatewayTrainingTest {
  /// @param trainers the number of trainers that must join before the first step
  private static TestGateway open(int trainers) {
    return new TestGateway(GatewayOptions.onLoopback(0), trainers);
  }

  private static Map<String, Tensor> gradients(float value) {
    return Map.of("weight", Tensor.ones(2, 3).scale(value));
  }

  /// Lets two trainers push, which is one step. Returns its version.
  private static long step(
      Talk<PushGradientsRequest, PushGradientsResponse> a,
      float fromA,
      Talk<PushGradientsRequest, PushGradientsResponse> b,
      float fromB) {
    GatewayClient.push(a, "a", gradients(fromA));
    GatewayClient.push(b, "b", gradients(fromB));
    long version = a.next().getVersion();
    assertThat(b.next().getVersion()).isEqualTo(version);
    return version;
  }

  /// Checks the weight after steps whose mean gradients have this sum.
  private static void assertStepped(TestGateway world, Tensor before, float sum) {
    assertThat(world.weight().values())
        .isEqualTo(before.sub(Tensor.ones(2, 3).scale(sum * (float) TestGateway.RATE)).values());
  }

  @Test
  void aStepIsTheMeanOfThePushesOfAllTrainers() {
    try (TestGateway world = open(2)) {
      GatewayClient client = world.client();
      Tensor before = world.weight();
      long version = step(client.pushes(), 1, client.pushes(), 3);
      assertStepped(world, before, 2);
      assertThat(client.pull(0).version()).isEqualTo(version);
      assertThat(client.workers().getModel().getTrainers()).isEqualTo(2);
    }
  }

  @Test
  void aPushThatIsNotFiniteIsDroppedAndCountedByOptionAndItsStepGoesOn() {
    try (TestGateway world = open(2)) {
      world.served.skipNonFinite();
      GatewayClient client = world.client();
      Tensor before = world.weight();
      var a = client.pushes();
      var b = client.pushes();
      assertThat(step(a, Float.NaN, b, 3)).isEqualTo(2);
      assertStepped(world, before, 3);
      assertThat(step(a, Float.POSITIVE_INFINITY, b, Float.NaN)).isEqualTo(3);
      assertStepped(world, before, 3);
      assertThat(world.served.skipped()).isEqualTo(3);
    }
  }

  @Test
  void aStepGoesOnWithoutTheTrainerThatIsKilled() {
    try (TestGateway world = open(2)) {
      GatewayClient client = world.client();
      Talk<WatchRequest, WatchResponse> watch = client.watch();
      GatewayClient doomed = world.client();
      var a = client.pushes();
      assertThat(step(a, 1, doomed.pushes(), 1)).isEqualTo(2);
      GatewayClient.push(a, "a", gradients(1));
      doomed.disconnect();
      assertThat(a.next().getVersion()).isEqualTo(3);
      awaitState(watch, "b", TrainerState.TRAINER_STATE_LOST);
    }
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
    try (TestGateway world = open(1)) {
      GatewayClient client = world.client();
      Talk<WatchRequest, WatchResponse> watch = client.watch();
      var a = client.pushes();
      GatewayClient.push(a, "a", gradients(1));
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
  }

  @Test
  void aModelWhoseTrainersAreAllLostWasNotTrainedToTheEnd() {
    try (TestGateway world = open(1)) {
      var a = world.client().pushes();
      GatewayClient.push(a, "a", gradients(1));
      assertThat(a.next().getVersion()).isPositive();
      a.cancel();
      assertThatThrownBy(() -> world.served.trained().await())
          .hasMessage(
              "all trainers were lost before the training finished: a; restart the whole world");
    }
  }

  @Test
  void aPushThatIsCancelledIsTakenOutOfItsStep() {
    try (TestGateway world = open(2)) {
      GatewayClient client = world.client();
      Tensor before = world.weight();
      Talk<WatchRequest, WatchResponse> watch = client.watch();
      var a = client.pushes();
      var b = client.pushes();
      assertThat(step(a, 0, b, 0)).isEqualTo(2);
      GatewayClient.push(a, "a", gradients(100));
      a.cancel();
      awaitState(watch, "a", TrainerState.TRAINER_STATE_LOST);
      GatewayClient.push(b, "b", gradients(1));
      assertThat(b.next().getVersion()).isEqualTo(3);
      assertStepped(world, before, 1);
    }
  }

  @Test
  void aTrainerWhoseProcessIsKilledIsLostAndItsCallsAreGivenUpAndItMayComeBack() throws Exception {
    try (TestGateway world = open(1)) {
      GatewayClient client = world.client();
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
      GatewayClient.push(again, "doomed", gradients(1));
      assertThat(again.next().getVersion()).isEqualTo(3);
    }
  }

  @Test
  void aWorkerThatLeavesInTheMiddleOfACallIsToldOf() throws InterruptedException {
    try (TestGateway world = open(0)) {
      Waits waits = world.helper.shared(Waits.class, Waits::new);
      Talk<CallRequest, CallResponse> talk =
          new Talk<>(world.client().channel(), GatewayClient.CALL, CallOptions.DEFAULT);
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
}
