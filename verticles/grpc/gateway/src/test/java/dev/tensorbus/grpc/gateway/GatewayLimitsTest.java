// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

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
import dev.tensorbus.grpc.v1.TensorHead;
import dev.tensorbus.grpc.v1.TensorPart;
import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Callers that are silent in the middle of a call, and take what others need.
class GatewayLimitsTest {
  private static final int MIB = 1 << 20;

  private static TestGateway gateway(Limits limits) {
    return new TestGateway(GatewayOptions.onLoopback(0).within(limits), 0);
  }

  private static Talk<CallRequest, CallResponse> silent(GatewayClient client) {
    return new Talk<>(client.channel(), GatewayClient.CALL, CallOptions.DEFAULT);
  }

  /// A call that has sent an eighth of its tensor of 16 MiB.
  private static Talk<CallRequest, CallResponse> halfSent(GatewayClient client) {
    Talk<CallRequest, CallResponse> talk = silent(client);
    TensorHead head =
        TensorHead.newBuilder()
            .setName("x")
            .setDtype(DType.DTYPE_FLOAT32)
            .addShape(4 * MIB)
            .build();
    ByteString values = ByteString.copyFrom(new byte[2 * MIB]);
    talk.send(
        CallRequest.newBuilder()
            .setHead(
                CallHead.newBuilder().setFunction("same").addArguments(GatewayClient.tensor(0)))
            .addParts(TensorPart.newBuilder().setHead(head).setValues(values))
            .build());
    return talk;
  }

  private static String error(Talk<?, ?> talk) {
    return GatewayClient.describe(catchThrowableOfType(StatusRuntimeException.class, talk::next));
  }

  @Test
  void silentStreamsOfOneClientLeaveRoomForAnother() {
    try (TestGateway world = gateway(Limits.STANDARD.withCalls(64, 0))) {
      GatewayClient greedy = world.client();
      greedy.workers(); // a call may overtake those that wait for the connection
      List<Talk<CallRequest, CallResponse>> talks = new ArrayList<>();
      for (int stream = 0; stream < 40; stream++) { // 32 are a half, and HTTP/2 allows 64
        talks.add(silent(greedy));
      }
      assertThat(error(talks.getLast()))
          .isEqualTo(
              "UNAVAILABLE [BUSY]: the gateway has no capacity for another call of this client;"
                  + " it serves 64 concurrently (--grpc-calls), and a connection at most as many"
                  + " as remain free; retry later");
      assertThat(world.client().workers().getSelf()).isEqualTo("server");
    }
  }

  @Test
  void silentStreamsOfManyConnectionsLeaveRoomForAnotherOfTheirHost() {
    try (TestGateway world = gateway(Limits.STANDARD.withCalls(64, 0))) {
      List<Talk<CallRequest, CallResponse>> talks = new ArrayList<>();
      for (int connection = 0; connection < 8; connection++) {
        GatewayClient greedy = world.client();
        greedy.workers(); // a call may overtake those that wait for the connection
        for (int stream = 0; stream < 64; stream++) {
          talks.add(silent(greedy));
        }
        assertThat(error(talks.getLast())).startsWith("UNAVAILABLE [BUSY]: ");
      }
      for (int client = 0; client < 4; client++) {
        assertThat(world.client().workers().getSelf()).isEqualTo("server");
      }
      Talk<CallRequest, CallResponse> longestSilent = talks.getFirst();
      assertThat(error(longestSilent)).startsWith("UNAVAILABLE [BUSY]: ");
    }
  }

  @Test
  void connectionsWithoutACallAreFewAndKeepNobodyOut() throws Exception {
    byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    List<Socket> silent = new ArrayList<>();
    try (TestGateway world = gateway(Limits.STANDARD)) {
      for (int connection = 0; connection < 300; connection++) { // there is room for 256
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), world.gateway.port());
        silent.add(socket);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(preface);
        socket.getOutputStream().write(settings);
        assertThat(socket.getInputStream().read()).isNotNegative();
      }
      assertThat(silent.getFirst().getInputStream().readAllBytes()).isNotEmpty(); // to its end
      assertThat(world.client().workers().getSelf()).isEqualTo("server");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /// Each call has a connection of its own. Of the gateway's places, those of a host may be two for
  /// each that is left: three of four.
  @Test
  void callsWhoseCallersAreSilentEndAndTheirPlacesAreFree() {
    Limits limits = Limits.STANDARD.withCalls(4, 0).withIdle(Duration.ofSeconds(2));
    try (TestGateway world = new TestGateway(GatewayOptions.onLoopback(0).within(limits), 1)) {
      var pushes = world.client().pushes();
      GatewayClient.push(pushes, "a", Map.of("weight", Tensor.ones(2, 3)));
      Talk<CallRequest, CallResponse> silent = silent(world.client());
      Talk<CallRequest, CallResponse> halfSent = halfSent(world.client());
      assertThat(pushes.next().getVersion()).isPositive();
      for (Talk<?, ?> talk : List.of(silent, halfSent, pushes)) {
        assertThat(error(talk))
            .isEqualTo(
                "DEADLINE_EXCEEDED [IDLE]: no message arrived for 2000 ms; send sooner, or raise"
                    + " --grpc-idle");
      }
      silent(world.client());
      silent(world.client());
      assertThat(world.client().workers().getSelf()).isEqualTo("server");
    }
  }

  /// Each takes 16 MiB at its first part; beside one, 28 are left, so that no other gets as many.
  @Test
  void halfSentTensorsShareOneMemoryAndItIsGivenBackWithTheirCalls() throws Exception {
    try (TestGateway world = gateway(Limits.STANDARD.withMemoryBytes(44 * MIB));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      GatewayClient greedy = world.client();
      List<Talk<CallRequest, CallResponse>> talks =
          new ArrayList<>(List.of(halfSent(greedy), halfSent(greedy), halfSent(greedy)));
      var refusals = new ExecutorCompletionService<Talk<CallRequest, CallResponse>>(threads);
      talks.forEach(talk -> refusals.submit(() -> requireNoMemory(talk)));
      talks.remove(refusals.take().get());
      talks.remove(refusals.take().get());
      Tensor small = Tensor.ones(MIB / 8);
      assertThat(world.client().call("", "same", List.of(GatewayClient.tensor(0)), small).tensors())
          .singleElement()
          .satisfies(same -> assertThat(same.values()).isEqualTo(small.values()));
      talks.getFirst().cancel();
      refusals.take();
      Talk<CallRequest, CallResponse> again = halfSent(greedy);
      finish(again);
      CallResponse first = again.next();
      assertThat(first.hasResult()).isTrue();
    }
  }

  private static Talk<CallRequest, CallResponse> requireNoMemory(
      Talk<CallRequest, CallResponse> talk) {
    assertThat(error(talk))
        .matches(
            "RESOURCE_EXHAUSTED \\[NO_MEMORY\\]: no memory for \\d+ more bytes; all calls share"
                + " 46137344 \\(--grpc-memory\\), and a connection may hold at most as many"
                + " as remain free");
    return talk;
  }

  private static void finish(Talk<CallRequest, CallResponse> talk) throws InterruptedException {
    ByteString values = ByteString.copyFrom(new byte[MIB / 2]);
    TensorPart part = TensorPart.newBuilder().setValues(values).build();
    for (int sent = 2 * MIB; sent < 16 * MIB; sent += values.size()) {
      talk.sendWhenReady(CallRequest.newBuilder().addParts(part).build());
    }
  }
}
