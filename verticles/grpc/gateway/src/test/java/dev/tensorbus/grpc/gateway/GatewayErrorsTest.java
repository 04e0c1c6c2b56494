// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static dev.tensorbus.grpc.gateway.GatewayClient.tensor;
import static dev.tensorbus.grpc.gateway.GatewayClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.DType;
import dev.tensorbus.grpc.v1.MapValue;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.TensorHead;
import dev.tensorbus.grpc.v1.TensorPart;
import dev.tensorbus.grpc.v1.Value;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Each error: gRPC's code, our reason, and what people read.
class GatewayErrorsTest {
  private static TestGateway world;
  private final GatewayClient client = world.client();

  @BeforeAll
  static void open() {
    Limits limits = Limits.STANDARD.withBytes(1 << 20, 2 << 20);
    world = new TestGateway(GatewayOptions.onLoopback(0).within(limits), 1);
  }

  @AfterAll
  static void close() {
    world.close();
  }

  private static StatusRuntimeException error(Runnable action) {
    return catchThrowableOfType(StatusRuntimeException.class, action::run);
  }

  private static void assertError(Runnable action, String expected) {
    StatusRuntimeException error = error(action);
    assertThat(error).as(expected).isNotNull();
    assertThat(GatewayClient.describe(error)).isEqualTo(expected);
  }

  /// The error of a call that sends just these messages.
  private void assertCallError(String expected, CallRequest... messages) {
    Talk<CallRequest, CallResponse> talk =
        new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
    for (CallRequest message : messages) {
      talk.send(message);
    }
    talk.halfClose();
    assertError(talk::next, expected);
  }

  private static CallRequest same(TensorPart... parts) {
    return CallRequest.newBuilder()
        .setHead(CallHead.newBuilder().setFunction("same").addArguments(tensor(0)))
        .addAllParts(List.of(parts))
        .build();
  }

  private static TensorPart part(DType dtype, int bytes, Integer... shape) {
    return TensorPart.newBuilder()
        .setHead(TensorHead.newBuilder().setName("x").setDtype(dtype).addAllShape(List.of(shape)))
        .setValues(ByteString.copyFrom(new byte[bytes]))
        .build();
  }

  @Test
  void functionsThatAreNotExportedAreRefusedWhetherTheyExistOrNot() {
    for (String name : List.of("secret", "nothing.of.the.kind")) {
      assertError(
          () -> client.call("helper", name, List.of()),
          ("PERMISSION_DENIED [NOT_EXPORTED]: \"%s\" is not exported; exported functions: add,"
                  + " debug_info, describe, fail, later, same, second, wait, weights")
              .formatted(name));
    }
  }

  @Test
  void aWorkerThatIsNotThereIsNotFound() {
    assertError(
        () -> client.call("nobody", "later", List.of(text("x"))),
        "NOT_FOUND [UNKNOWN_WORKER]: no worker \"nobody\"; known workers: server, helper");
  }

  @Test
  void argumentsThatDoNotFitAreNamed() {
    assertError(
        () -> client.call("helper", "add", List.of(text("x"))),
        "INVALID_ARGUMENT [BAD_ARGUMENT]: Functions.add takes (Tensor, Tensor); got 1 arguments");
    assertError(
        () -> client.call("helper", "later", List.of(tensor(0)), Tensor.ones(1)),
        "INVALID_ARGUMENT [BAD_ARGUMENT]: Functions.later takes (String); argument 0 is Tensor");
    assertError(
        () -> client.call("helper", "same", List.of(tensor(3)), Tensor.ones(1)),
        "INVALID_ARGUMENT [BAD_ARGUMENT]: an argument refers to tensor index 3; expected an index"
            + " below 1");
    assertError(
        () ->
            client.call(
                "helper", "add", List.of(tensor(0), tensor(1)), Tensor.ones(2), Tensor.ones(3)),
        "INVALID_ARGUMENT [BAD_ARGUMENT]: helper failed in Functions.add: add: [2] and [3] do not"
            + " fit: sizes 2 and 3 on axis -1 must be equal, or one of them 1");
  }

  @Test
  void whatAMethodThrowsIsToldWithItsType() {
    assertError(
        () -> client.call("helper", "fail", List.of(text("Pech: 100 % für 1 €"))),
        "UNKNOWN [METHOD_FAILED]: helper failed in Functions.fail: Pech: 100 % für 1 €");
  }

  @Test
  void tensorsThatCannotBePutTogetherAreRefused() {
    assertCallError(
        "INVALID_ARGUMENT [BAD_MESSAGE]: the first message of a call has no head",
        CallRequest.getDefaultInstance());
    assertCallError(
        "INVALID_ARGUMENT [BAD_TENSOR]: the first part of a tensor has no head; expected its dtype"
            + " and shape",
        same(TensorPart.getDefaultInstance()));
    assertCallError(
        "INVALID_ARGUMENT [BAD_TENSOR]: tensor \"x\" has dtype 0; expected float32 (1), float64"
            + " (2), int64 (3) or bool (4)",
        same(part(DType.DTYPE_UNSPECIFIED, 4, 1)));
    assertCallError(
        "INVALID_ARGUMENT [BAD_TENSOR]: a part of tensor \"x\" float32 [2] has 3 bytes; expected"
            + " whole values of 4 bytes each",
        same(part(DType.DTYPE_FLOAT32, 3, 2)));
    assertCallError(
        "INVALID_ARGUMENT [BAD_TENSOR]: tensor \"x\" float32 [2] received 3 more values; expected"
            + " 2",
        same(part(DType.DTYPE_FLOAT32, 12, 2)));
    assertCallError(
        "INVALID_ARGUMENT [BAD_TENSOR]: tensor \"x\" float32 [2] is not complete; send all its"
            + " values before the next tensor",
        same(part(DType.DTYPE_FLOAT32, 4, 2)));
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsThere() {
    assertCallError(
        "RESOURCE_EXHAUSTED [TENSORS_TOO_LARGE]: tensors of 4000000070 bytes; expected at most"
            + " 2097152 per call (--grpc-max-tensors)",
        same(part(DType.DTYPE_FLOAT32, 4, 1_000_000_000)));
    StatusRuntimeException error =
        error(
            () -> {
              Talk<CallRequest, CallResponse> talk =
                  new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
              talk.send(same(part(DType.DTYPE_FLOAT32, 1_200_000, 300_000)));
              talk.next();
            });
    assertThat(GatewayClient.describe(error))
        .isEqualTo(
            "RESOURCE_EXHAUSTED [MESSAGE_TOO_LARGE]: a message of 1200032 bytes; expected at most"
                + " 1048576 (--grpc-max-message); send tensors in smaller parts");
  }

  @Test
  void gradientsThatDoNotFitTheModelAreRefused() {
    assertPushError(
        "NOT_FOUND [UNKNOWN_PARAMETER]: no parameter \"wait\"; the model has weight, bias",
        Map.of("wait", Tensor.ones(1)));
    assertPushError(
        "INVALID_ARGUMENT [BAD_GRADIENT]: gradient \"bias\" is float32 [3]; expected float32 [2]",
        Map.of("bias", Tensor.ones(3)));
    assertPushError(
        "INVALID_ARGUMENT [BAD_GRADIENT]: a push without gradients; expected some of [weight,"
            + " bias]",
        Map.of());
    var talk = client.pushes();
    talk.send(PushGradientsRequest.getDefaultInstance());
    assertError(
        talk::next, "INVALID_ARGUMENT [BAD_MESSAGE]: the first message of a push has no head");
    var nameless = client.pushes();
    GatewayClient.push(nameless, "", Map.of("bias", Tensor.zeros(2)));
    assertError(
        nameless::next,
        "INVALID_ARGUMENT [BAD_MESSAGE]: a push has no trainer; set trainer in its head");
  }

  private void assertPushError(String expected, Map<String, Tensor> gradients) {
    var talk = client.pushes();
    GatewayClient.push(talk, "refused", gradients);
    assertError(talk::next, expected);
  }

  @Test
  void gradientsThatAreNotFiniteAreRefusedAndTheModelStaysAsItIs() {
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      float[] before = world.weight().values();
      assertPushError(
          "INVALID_ARGUMENT [BAD_GRADIENT]: gradient \"bias\" has NaN or infinite values; expected"
              + " finite values; skip this step, or start the worker with --grpc-skip-nonfinite",
          Map.of("bias", Tensor.of(1, value)));
      assertThat(world.weight().values()).isEqualTo(before);
    }
  }

  @Test
  void twoTrainersOfOneNameAreRefused() {
    var first = client.pushes();
    Map<String, Tensor> gradients = Map.of("bias", Tensor.zeros(2));
    GatewayClient.push(first, "a", gradients);
    assertThat(first.next()).isNotNull();
    var again = client.pushes();
    GatewayClient.push(again, "a", gradients);
    assertError(
        again::next,
        "ALREADY_EXISTS [TRAINER_IS_THERE]: trainer \"a\" has already joined; choose another name");
  }

  @Test
  void examplesThatDoNotFitTheModelAreRefused() {
    var talk = client.predictions();
    GatewayClient.ask(talk, Tensor.ones(3));
    assertError(
        talk::next,
        "INVALID_ARGUMENT [BAD_EXAMPLES]: examples are float32 [3]; expected float32 [n, 3] with n"
            + " at least 1");
  }

  @Test
  void aParameterThatTheModelHasNotIsNotFound() {
    assertError(
        () -> client.pull(0, "bias", "gain"),
        "NOT_FOUND [UNKNOWN_PARAMETER]: no parameter \"gain\"; the model has weight, bias");
  }

  @Test
  void compressedMessagesAreNotSpoken() {
    GatewayClient compressing = client.with(CallOptions.DEFAULT.withCompression("gzip"));
    assertError(
        compressing::workers,
        "UNIMPLEMENTED [NOT_SPOKEN]: only uncompressed protobuf messages are supported");
  }

  @Test
  void aMessageThatCannotBeReadIsRefused() {
    MethodDescriptor<Value, CallResponse> garbled =
        MethodDescriptor.<Value, CallResponse>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(GatewayClient.CALL.getFullMethodName())
            .setRequestMarshaller(ProtoUtils.marshaller(Value.getDefaultInstance()))
            .setResponseMarshaller(GatewayClient.CALL.getResponseMarshaller())
            .build();
    Talk<Value, CallResponse> talk = new Talk<>(client.channel(), garbled, CallOptions.DEFAULT);
    talk.send(Value.newBuilder().setMap(MapValue.newBuilder().putValues("k", text("v"))).build());
    talk.send(Value.newBuilder().setText("no head").build());
    talk.halfClose();
    StatusRuntimeException error = error(talk::next);
    assertThat(GatewayClient.describe(error)).startsWith("INVALID_ARGUMENT [BAD_MESSAGE]: ");
  }

  @Test
  void aWorkerWithoutAModelSaysSo() {
    GrpcGateway bare =
        GrpcGateway.open(world.helper, GatewayOptions.onLoopback(0), Exports.of()).await();
    GatewayClient stranger = world.client(bare.port());
    assertError(
        () -> stranger.pull(0),
        "FAILED_PRECONDITION [NO_MODEL]: this worker serves no model; ask the worker that owns it");
    assertThat(stranger.workers().hasModel()).isFalse();
    bare.close().await();
  }
}
