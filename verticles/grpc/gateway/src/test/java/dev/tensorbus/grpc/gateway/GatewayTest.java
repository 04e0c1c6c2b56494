// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static dev.tensorbus.grpc.gateway.GatewayClient.tensor;
import static dev.tensorbus.grpc.gateway.GatewayClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.Functions.Waits;
import dev.tensorbus.grpc.gateway.Functions.Weights;
import dev.tensorbus.grpc.gateway.GatewayClient.Pulled;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.ListValue;
import dev.tensorbus.grpc.v1.MapValue;
import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.PredictResponse;
import dev.tensorbus.grpc.v1.Value;
import dev.tensorbus.grpc.v1.Worker;
import dev.tensorbus.grpc.v1.WorkersResponse;
import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The calls of a grpc-java client at a gateway whose model can only be read.
class GatewayTest {
  private static TestGateway world;
  private final GatewayClient client = world.client();

  @BeforeAll
  static void open() {
    world = new TestGateway();
  }

  @AfterAll
  static void close() {
    world.close();
  }

  private static Value whole(long value) {
    return Value.newBuilder().setWhole(value).build();
  }

  private static Value list(Value... values) {
    return Value.newBuilder().setList(ListValue.newBuilder().addAllValues(List.of(values))).build();
  }

  @Test
  void workersTellsWhoIsThereAndWhatMayBeCalled() {
    WorkersResponse workers = client.workers();
    assertThat(workers.getSelf()).isEqualTo("server");
    assertThat(workers.getWorkersList())
        .extracting(Worker::getName)
        .containsExactly("server", "helper");
    assertThat(workers.getFunctionsList())
        .containsExactly(
            "add", "debug_info", "describe", "fail", "later", "same", "second", "wait", "weights");
    assertThat(workers.getModel().getParametersList().toString()).contains("weight", "bias");
    assertThat(workers.getModel().getExampleShapeList()).containsExactly(3);
  }

  @Test
  void callRunsOnTheWorkerThatIsNamedWithValuesOfEachKind() {
    Value map = Value.newBuilder().setMap(MapValue.newBuilder().putValues("k", text("v"))).build();
    List<Value> arguments =
        List.of(
            text("hello"),
            whole(7),
            Value.newBuilder().setNumber(0.5).build(),
            Value.newBuilder().setTruth(true).build(),
            list(whole(1), text("two")),
            map);
    Map<String, Value> result =
        client.call("helper", "describe", arguments).value().getMap().getValuesMap();
    assertThat(result)
        .containsEntry("worker", text("helper"))
        .containsEntry("text", arguments.get(0))
        .containsEntry("whole", arguments.get(1))
        .containsEntry("number", arguments.get(2))
        .containsEntry("truth", arguments.get(3))
        .containsEntry("list", arguments.get(4))
        .containsEntry("map", map);
  }

  @Test
  void aCallWithoutAWorkerRunsOnTheGatewaysOwn() {
    Value info = client.call("", "debug_info", List.of()).value();
    assertThat(info.getMap().getValuesMap()).containsKey("rpc.served_calls");
    assertThat(client.call("", "later", List.of(text("soon"))).value()).isEqualTo(text("soon"));
  }

  @Test
  void tensorsOfEachTypeComeBackAsTheyWent() {
    List<Tensor> tensors =
        List.of(
            Tensor.of(Shape.of(2, 2), new float[] {1, -2, Float.NaN, Float.MIN_VALUE}),
            Tensor.ofDoubles(Math.PI, Double.MAX_VALUE),
            Tensor.ofLongs(Long.MIN_VALUE, 3),
            Tensor.ofBooleans(true, false, true),
            Tensor.scalar(4),
            Tensor.zeros(0, 5));
    for (Tensor tensor : tensors) {
      Tensor back = client.call("helper", "same", List.of(tensor(0)), tensor).tensors().getFirst();
      assertThat(back.shape()).isEqualTo(tensor.shape());
      assertThat(back.heap()).isEqualTo(tensor.heap());
    }
  }

  @Test
  void largeTensorsTravelInPartsBothWays() {
    float[] values = new float[3_000_001];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    Tensor a = Tensor.of(values);
    Tensor b = Tensor.full(Shape.of(values.length), a.dtype(), 1);
    Tensor sum =
        client.call("helper", "add", List.of(tensor(0), tensor(1)), a, b).tensors().getFirst();
    assertThat(sum.values()).isEqualTo(a.add(b).values());
  }

  @Test
  void aCallRunsWhenItsTensorsAreThere() {
    Talk<CallRequest, CallResponse> open =
        new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
    Value nested = list(list(tensor(1)));
    CallHead head = CallHead.newBuilder().setFunction("second").addArguments(nested).build();
    CallRequest.Builder first = CallRequest.newBuilder().setHead(head);
    GatewayClient.send(Tensor.ones(1), parts -> open.send(first.addAllParts(parts).build()));
    GatewayClient.send(
        Tensor.ones(7), parts -> open.send(CallRequest.newBuilder().addAllParts(parts).build()));
    assertThat(open.next().getResult()).isEqualTo(whole(7)); // and the request has not ended
    assertThat(open.next()).isNull();
  }

  @Test
  void aReaderThatStopsHoldsUpNobodyElseAndGetsAllInTheEnd() {
    Tensor large = Tensor.zeros(12_000_000);
    Talk<CallRequest, CallResponse> slow =
        new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
    slow.send(
        CallRequest.newBuilder()
            .setHead(CallHead.newBuilder().setFunction("same").addArguments(tensor(0)))
            .build());
    GatewayClient.send(
        large, parts -> slow.send(CallRequest.newBuilder().addAllParts(parts).build()));
    slow.halfClose();
    int bytes = slow.next().getParts(0).getValues().size(); // and then nothing is asked for
    assertThat(client.call("helper", "later", List.of(text("on"))).value()).isEqualTo(text("on"));
    for (CallResponse next = slow.next(); next != null; next = slow.next()) {
      bytes += next.getPartsList().stream().mapToInt(part -> part.getValues().size()).sum();
    }
    assertThat(bytes).isEqualTo(large.shape().elements() * Float.BYTES);
  }

  @Test
  void aSlowReaderGetsTheValuesOfWhenItAskedWhateverTheWorkerDoesMeanwhile() {
    Talk<CallRequest, CallResponse> slow =
        new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
    slow.send(
        CallRequest.newBuilder().setHead(CallHead.newBuilder().setFunction("weights")).build());
    slow.halfClose();
    TensorReader reader = new TensorReader(Long.MAX_VALUE, bytes -> {});
    reader.add(slow.next().getPartsList());
    Weights.of(world.server).leaf().update(values -> new float[values.length]);
    for (CallResponse next = slow.next(); next != null; next = slow.next()) {
      reader.add(next.getPartsList());
    }
    Tensor read = reader.tensors().getFirst().tensor();
    assertThat(read.sum().item()).isEqualTo(3_000_000);
    Tensor now = client.call("", "weights", List.of()).tensors().getFirst();
    assertThat(now.sum().item()).isZero();
  }

  @Test
  void predictionsOfManyCallersAreTheModels() {
    List<Talk<PredictRequest, PredictResponse>> callers = new ArrayList<>();
    List<Tensor> examples = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      examples.add(Tensor.of(Shape.of(1, 3), new float[] {i, -i, 1}));
      callers.add(client.predictions());
    }
    for (int i = 0; i < 8; i++) {
      GatewayClient.ask(callers.get(i), examples.get(i));
    }
    for (int i = 0; i < 8; i++) {
      assertThat(GatewayClient.answer(callers.get(i)).values())
          .isEqualTo(world.model.forward(examples.get(i)).values());
    }
  }

  @Test
  void severalPredictionsFollowOneAnotherInOneStream() {
    Talk<PredictRequest, PredictResponse> talk = client.predictions();
    for (int rows : new int[] {1, 20, 2}) { // 20 are more than a batch
      Tensor examples = Tensor.ones(rows, 3);
      GatewayClient.ask(talk, examples);
      assertThat(GatewayClient.answer(talk).values())
          .isEqualTo(world.model.forward(examples).values());
    }
    talk.halfClose();
    assertThat(talk.next()).isNull();
  }

  @Test
  void aDeadlineReachesTheMethod() throws InterruptedException {
    Waits waits = world.helper.shared(Waits.class, Waits::new);
    for (long millis = 300; waits.begun().getCount() > 0; millis *= 2) {
      GatewayClient hasty =
          client.with(CallOptions.DEFAULT.withDeadlineAfter(millis, TimeUnit.MILLISECONDS));
      Assertions.assertThatThrownBy(() -> hasty.call("helper", "wait", List.of()))
          .hasMessageContaining("DEADLINE_EXCEEDED");
    }
    assertThat(waits.ended().await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void aCancellationReachesTheMethod() throws InterruptedException {
    Waits waits = world.server.shared(Waits.class, Waits::new);
    Talk<CallRequest, CallResponse> talk =
        new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
    talk.send(CallRequest.newBuilder().setHead(CallHead.newBuilder().setFunction("wait")).build());
    talk.halfClose();
    assertThat(waits.begun().await(1, TimeUnit.MINUTES)).isTrue();
    talk.cancel();
    assertThat(waits.ended().await(1, TimeUnit.MINUTES)).isTrue();
    Assertions.assertThatThrownBy(talk::next).isInstanceOf(StatusRuntimeException.class);
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
  void aModelWithoutServersTakesNoPushes() {
    var pushes = client.pushes();
    GatewayClient.push(pushes, "a", Map.of("bias", Tensor.zeros(2)));
    Assertions.assertThatThrownBy(pushes::next)
        .hasMessage(
            "FAILED_PRECONDITION: this model is read-only, since its parameters are not on servers;"
                + " create it by ModelServer.ofStore, or train with --servers N and"
                + " --grpc-trainers N");
    assertThat(client.workers().getModel().getTrainers()).isZero();
  }
}
