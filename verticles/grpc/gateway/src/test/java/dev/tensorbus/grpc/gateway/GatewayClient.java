// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.wire.NamedTensor;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import dev.tensorbus.grpc.gateway.wire.TensorWriter;
import dev.tensorbus.grpc.v1.CallHead;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.PredictResponse;
import dev.tensorbus.grpc.v1.PullParametersRequest;
import dev.tensorbus.grpc.v1.PullParametersResponse;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.grpc.v1.PushHead;
import dev.tensorbus.grpc.v1.TensorPart;
import dev.tensorbus.grpc.v1.Value;
import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;
import dev.tensorbus.grpc.v1.WorkersRequest;
import dev.tensorbus.grpc.v1.WorkersResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// grpc-java's side of the gateway.
///
/// @param channel to it
/// @param options of each call
record GatewayClient(Channel channel, CallOptions options) {
  static final MethodDescriptor<WorkersRequest, WorkersResponse> WORKERS =
      method(
          "Workers",
          MethodType.UNARY,
          WorkersRequest.getDefaultInstance(),
          WorkersResponse.getDefaultInstance());
  static final MethodDescriptor<CallRequest, CallResponse> CALL =
      method(
          "Call",
          MethodType.BIDI_STREAMING,
          CallRequest.getDefaultInstance(),
          CallResponse.getDefaultInstance());
  static final MethodDescriptor<PullParametersRequest, PullParametersResponse> PULL =
      method(
          "PullParameters",
          MethodType.SERVER_STREAMING,
          PullParametersRequest.getDefaultInstance(),
          PullParametersResponse.getDefaultInstance());
  static final MethodDescriptor<PushGradientsRequest, PushGradientsResponse> PUSH =
      method(
          "PushGradients",
          MethodType.BIDI_STREAMING,
          PushGradientsRequest.getDefaultInstance(),
          PushGradientsResponse.getDefaultInstance());
  static final MethodDescriptor<PredictRequest, PredictResponse> PREDICT =
      method(
          "Predict",
          MethodType.BIDI_STREAMING,
          PredictRequest.getDefaultInstance(),
          PredictResponse.getDefaultInstance());
  static final MethodDescriptor<WatchRequest, WatchResponse> WATCH =
      method(
          "Watch",
          MethodType.SERVER_STREAMING,
          WatchRequest.getDefaultInstance(),
          WatchResponse.getDefaultInstance());

  private static final MethodDescriptor<HealthCheckRequest, HealthCheckResponse> HEALTH =
      MethodDescriptor.<HealthCheckRequest, HealthCheckResponse>newBuilder()
          .setType(MethodType.UNARY)
          .setFullMethodName("grpc.health.v1.Health/Check")
          .setRequestMarshaller(ProtoUtils.marshaller(HealthCheckRequest.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(HealthCheckResponse.getDefaultInstance()))
          .build();

  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  GatewayClient(Channel channel) {
    this(channel, CallOptions.DEFAULT);
  }

  private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
      String name, MethodType type, Q request, R response) {
    return MethodDescriptor.<Q, R>newBuilder()
        .setType(type)
        .setFullMethodName("tensorbus.v1.Tensorbus/" + name)
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(response))
        .build();
  }

  /// The same with other options.
  GatewayClient with(CallOptions other) {
    return new GatewayClient(channel, other);
  }

  HealthCheckResponse.ServingStatus health(String service) {
    HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
    return ClientCalls.blockingUnaryCall(channel, HEALTH, options, request).getStatus();
  }

  /// Asks for the health as a watcher does, and waits for the end of the call.
  void watchHealth() {
    ClientCalls.blockingUnaryCall(
        channel,
        HEALTH.toBuilder().setFullMethodName("grpc.health.v1.Health/Watch").build(),
        options,
        HealthCheckRequest.getDefaultInstance());
  }

  WorkersResponse workers() {
    return ClientCalls.blockingUnaryCall(
        channel, WORKERS, options, WorkersRequest.getDefaultInstance());
  }

  /// A call, and what came back: the value and the tensors.
  Result call(String worker, String function, List<Value> arguments, Tensor... tensors) {
    Talk<CallRequest, CallResponse> talk = new Talk<>(channel, CALL, options);
    CallRequest.Builder request =
        CallRequest.newBuilder()
            .setHead(
                CallHead.newBuilder()
                    .setWorker(worker)
                    .setFunction(function)
                    .addAllArguments(arguments));
    send(
        NamedTensor.of(List.of(tensors)),
        (parts, isLast) -> {
          talk.send(request.addAllParts(parts).build());
          request.clear();
        });
    talk.halfClose();
    TensorReader reader = new TensorReader(Long.MAX_VALUE, bytes -> {});
    Value value = null;
    for (CallResponse next = talk.next(); next != null; next = talk.next()) {
      value = next.hasResult() ? next.getResult() : value;
      reader.add(next.getPartsList());
    }
    return new Result(value, reader.tensors().stream().map(NamedTensor::tensor).toList());
  }

  record Result(Value value, List<Tensor> tensors) {}

  static Value tensor(int place) {
    return Value.newBuilder().setTensor(place).build();
  }

  static Value text(String text) {
    return Value.newBuilder().setText(text).build();
  }

  /// The parameters that a pull brought.
  Pulled pull(long newerThan, String... names) {
    PullParametersRequest request =
        PullParametersRequest.newBuilder()
            .addAllNames(List.of(names))
            .setNewerThan(newerThan)
            .build();
    TensorReader reader = new TensorReader(Long.MAX_VALUE, bytes -> {});
    long version = 0;
    var responses = ClientCalls.blockingServerStreamingCall(channel, PULL, options, request);
    while (responses.hasNext()) {
      PullParametersResponse response = responses.next();
      version = response.getVersion();
      reader.add(response.getPartsList());
    }
    return new Pulled(version, reader.tensors());
  }

  record Pulled(long version, List<NamedTensor> tensors) {
    List<String> names() {
      return tensors.stream().map(NamedTensor::name).toList();
    }
  }

  /// A stream of pushes.
  Talk<PushGradientsRequest, PushGradientsResponse> pushes() {
    return new Talk<>(channel, PUSH, options);
  }

  static void push(
      Talk<PushGradientsRequest, PushGradientsResponse> talk,
      String trainer,
      Map<String, Tensor> gradients) {
    PushGradientsRequest.Builder request =
        PushGradientsRequest.newBuilder()
            .setHead(PushHead.newBuilder().setTrainer(trainer).setLoss(0.5f).setExamples(4));
    send(
        NamedTensor.of(gradients),
        (parts, isLast) -> {
          talk.send(request.addAllParts(parts).setLast(isLast).build());
          request.clear();
        });
  }

  /// A stream of predictions.
  Talk<PredictRequest, PredictResponse> predictions() {
    return new Talk<>(channel, PREDICT, options);
  }

  static void ask(Talk<PredictRequest, PredictResponse> talk, Tensor examples) {
    send(
        NamedTensor.of(List.of(examples)),
        (parts, isLast) ->
            talk.send(PredictRequest.newBuilder().addAllParts(parts).setLast(isLast).build()));
  }

  static Tensor answer(Talk<PredictRequest, PredictResponse> talk) {
    TensorReader reader = new TensorReader(Long.MAX_VALUE, bytes -> {});
    PredictResponse next;
    do {
      next = talk.next();
      reader.add(next.getPartsList());
    } while (!next.getLast());
    return reader.tensors().getFirst().tensor();
  }

  /// The events from now on.
  Talk<WatchRequest, WatchResponse> watch() {
    Talk<WatchRequest, WatchResponse> talk = new Talk<>(channel, WATCH, options);
    talk.send(WatchRequest.getDefaultInstance());
    talk.halfClose();
    talk.awaitHead();
    return talk;
  }

  void disconnect() {
    ((ManagedChannel) channel).shutdownNow();
  }

  /// Sends a tensor in parts.
  static void send(Tensor tensor, Consumer<List<TensorPart>> sink) {
    send(NamedTensor.of(List.of(tensor)), (parts, isLast) -> sink.accept(parts));
  }

  private static void send(List<NamedTensor> tensors, TensorWriter.Sink sink) {
    try {
      TensorWriter.write(tensors, sink);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// "CODE REASON: message" of an error.
  static String describe(StatusRuntimeException error) {
    return error.getStatus().getCode()
        + " "
        + details(error, ErrorInfo.class).stream().map(ErrorInfo::getReason).toList()
        + ": "
        + error.getStatus().getDescription();
  }

  /// Whether an error says when to call again.
  static boolean hasRetry(StatusRuntimeException error) {
    return !details(error, RetryInfo.class).isEmpty();
  }

  private static <M extends Message> List<M> details(StatusRuntimeException error, Class<M> type) {
    List<M> found = new ArrayList<>();
    com.google.rpc.Status status = error.getTrailers().get(DETAILS);
    try {
      for (Any any : status == null ? List.<Any>of() : status.getDetailsList()) {
        if (any.is(type)) {
          found.add(any.unpack(type));
        }
      }
      return found;
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
