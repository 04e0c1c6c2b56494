// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.grpc;

import com.google.protobuf.Message;
import dev.tensorbus.grpc.v1.CallRequest;
import dev.tensorbus.grpc.v1.CallResponse;
import dev.tensorbus.grpc.v1.PredictRequest;
import dev.tensorbus.grpc.v1.PredictResponse;
import dev.tensorbus.grpc.v1.TensorPart;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// The grpc-java client of the benchmarks, and a plain grpc-java server that answers the messages
/// of the gateway's `Call`, as a baseline for the gateway.
final class RawEcho {
  private static final String SERVICE = "tensorbus.v1.Tensorbus";

  private static final MethodDescriptor<CallRequest, CallResponse> CALL =
      method("Call", CallRequest.getDefaultInstance(), CallResponse.getDefaultInstance());

  private static final MethodDescriptor<PredictRequest, PredictResponse> PREDICT =
      method("Predict", PredictRequest.getDefaultInstance(), PredictResponse.getDefaultInstance());

  private RawEcho() {}

  private static <Q extends Message, R extends Message> MethodDescriptor<Q, R> method(
      String name, Q request, R response) {
    return MethodDescriptor.<Q, R>newBuilder()
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName(SERVICE + "/" + name)
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(response))
        .build();
  }

  /// Starts a server that collects the messages of a call and sends their parts back.
  static Server serve() {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(CALL, ServerCalls.asyncBidiStreamingCall(Echo::new))
            .build();
    try {
      return NettyServerBuilder.forAddress(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .addService(service)
          .build()
          .start();
    } catch (IOException e) {
      throw new IllegalStateException("grpc-java's server did not start", e);
    }
  }

  static ManagedChannel connect(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  /// Makes a `Call`. The future completes with the number of received bytes.
  static CompletableFuture<Long> call(Channel channel, List<CallRequest> messages) {
    return ask(channel, CALL, messages, CallResponse::getPartsList);
  }

  /// Makes a `Predict` call. The future completes with the number of received bytes.
  static CompletableFuture<Long> predict(Channel channel, List<PredictRequest> messages) {
    return ask(channel, PREDICT, messages, PredictResponse::getPartsList);
  }

  private static <Q, R> CompletableFuture<Long> ask(
      Channel channel,
      MethodDescriptor<Q, R> method,
      List<Q> messages,
      Function<R, List<TensorPart>> parts) {
    Answer<R> answer = new Answer<>(parts);
    StreamObserver<Q> request =
        ClientCalls.asyncBidiStreamingCall(channel.newCall(method, CallOptions.DEFAULT), answer);
    messages.forEach(request::onNext);
    request.onCompleted();
    return answer.bytes;
  }

  private static final class Answer<R> implements StreamObserver<R> {
    private final Function<R, List<TensorPart>> parts;
    private final CompletableFuture<Long> bytes = new CompletableFuture<>();
    private long sum;

    Answer(Function<R, List<TensorPart>> parts) {
      this.parts = parts;
    }

    @Override
    public void onNext(R response) {
      parts.apply(response).forEach(part -> sum += part.getValues().size());
    }

    @Override
    public void onError(Throwable error) {
      bytes.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
      bytes.complete(sum);
    }
  }

  private static final class Echo implements StreamObserver<CallRequest> {
    private final StreamObserver<CallResponse> response;
    private final List<CallRequest> messages = new ArrayList<>();

    Echo(StreamObserver<CallResponse> response) {
      this.response = response;
    }

    @Override
    public void onNext(CallRequest message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable error) {
      response.onError(Status.CANCELLED.asException());
    }

    @Override
    public void onCompleted() {
      for (CallRequest message : messages) {
        response.onNext(CallResponse.newBuilder().addAllParts(message.getPartsList()).build());
      }
      response.onCompleted();
    }
  }
}
