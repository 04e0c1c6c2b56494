// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.tensorbus.grpc.gateway.server.Admission;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.server.GatewayServer;
import dev.tensorbus.grpc.gateway.server.RequestStream;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.v1.PullParametersRequest;
import dev.tensorbus.grpc.v1.PullParametersResponse;
import dev.tensorbus.grpc.v1.PushGradientsRequest;
import dev.tensorbus.grpc.v1.PushGradientsResponse;
import dev.tensorbus.grpc.v1.Step;
import dev.tensorbus.grpc.v1.TensorPart;
import dev.tensorbus.grpc.v1.WatchRequest;
import dev.tensorbus.grpc.v1.WatchResponse;
import dev.tensorbus.rpc.transport.listen.IdleConnections;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A caller that takes or gives less than it could costs the memory of a few messages, however many
/// there are.
class SlowCallerTest {
  private static final int KIB = 1024;
  private static final int PATIENCE_SECONDS = 30;

  /// Bytes that the client lets the server be ahead.
  private static final int CLIENT_WINDOW = 64 * KIB;

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger sent = new AtomicInteger();
  private ManagedChannel channel;

  @AfterEach
  void close() {
    channel.shutdownNow();
    vertx.close().await();
  }

  /// A client of a server that has just this method.
  private <Q, R extends MessageLite> GatewayClient client(
      Parser<Q> parser, ServerCall.Method<Q, R> method) {
    return client(parser, method, Limits.STANDARD);
  }

  private <Q, R extends MessageLite> GatewayClient client(
      Parser<Q> parser, ServerCall.Method<Q, R> method, Limits limits) {
    IdleConnections connections = new IdleConnections(vertx, limits.idle(), limits.idle());
    Admission room = new Admission(limits, connections);
    HttpServer server =
        GatewayServer.create(
            vertx,
            GatewayOptions.onLoopback(0),
            connections,
            request ->
                ServerCall.serve(
                    request, new RequestStream<>(request, parser, room.enter(request)), method));
    int port = server.listen().await().actualPort();
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .flowControlWindow(CLIENT_WINDOW)
            .build();
    return new GatewayClient(channel);
  }

  private static TensorPart part(int bytes) {
    return TensorPart.newBuilder().setValues(ByteString.copyFrom(new byte[bytes])).build();
  }

  @Test
  void aReaderOfParametersHoldsUpTheMethodThatSends() throws InterruptedException {
    var response = PullParametersResponse.newBuilder().addParts(part(4 * CLIENT_WINDOW)).build();
    CountDownLatch ended = new CountDownLatch(1);
    GatewayClient client =
        client(
            PullParametersRequest.parser(),
            (ServerCall<PullParametersRequest, PullParametersResponse> call) -> {
              try {
                while (true) {
                  call.send(response);
                  sent.incrementAndGet();
                }
              } finally {
                ended.countDown();
              }
            });
    var talk = new Talk<>(client.channel(), GatewayClient.PULL, CallOptions.DEFAULT);
    talk.send(PullParametersRequest.getDefaultInstance());
    talk.halfClose();
    for (int taken = 1; taken <= 200; taken++) {
      assertThat(talk.next()).isNotNull();
      // On their way, one that the client has asked for, and pieces of two in its window.
      assertThat(sent.get() - taken).isLessThanOrEqualTo(ServerCall.AHEAD + 3);
    }
    talk.cancel();
    assertThat(ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aReaderThatStopsLosesItsCall() throws InterruptedException {
    var response = PullParametersResponse.newBuilder().addParts(part(4 * CLIENT_WINDOW)).build();
    BlockingQueue<GrpcStatusException> refusals = new LinkedBlockingQueue<>();
    GatewayClient client =
        client(
            PullParametersRequest.parser(),
            (ServerCall<PullParametersRequest, PullParametersResponse> call) -> {
              try {
                while (true) {
                  call.send(response);
                }
              } catch (GrpcStatusException refusal) {
                refusals.add(refusal);
                throw refusal;
              }
            },
            Limits.STANDARD.withIdle(Duration.ofSeconds(2)));
    var talk = new Talk<>(client.channel(), GatewayClient.PULL, CallOptions.DEFAULT);
    talk.send(PullParametersRequest.getDefaultInstance());
    talk.halfClose();
    GrpcStatusException refusal = refusals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(refusal).isNotNull();
    assertThat(refusal.reason()).isEqualTo(Reason.IDLE);
    assertThat(refusal)
        .hasMessage("the answer was not read for 2000 ms; read sooner, or raise --grpc-idle");
  }

  @Test
  void aMethodThatReadsNothingHoldsUpTheClient() throws InterruptedException {
    AtomicInteger taken = new AtomicInteger();
    CountDownLatch isFull = new CountDownLatch(1);
    GatewayClient client =
        client(
            PushGradientsRequest.parser(),
            (ServerCall<PushGradientsRequest, PushGradientsResponse> call) -> {
              isFull.await();
              while (call.receive() != null) {
                taken.incrementAndGet();
              }
              call.send(PushGradientsResponse.getDefaultInstance());
            });
    var talk = new Talk<>(client.channel(), GatewayClient.PUSH, CallOptions.DEFAULT);
    var request = PushGradientsRequest.newBuilder().addParts(part(64 * KIB)).build();
    // One MiB may wait for the method, and another may be on its way.
    while (sent.get() < 24) {
      sent.incrementAndGet();
      talk.sendWhenReady(request);
    }
    isFull.countDown();
    while (sent.get() < 400) {
      talk.sendWhenReady(request);
      assertThat(sent.incrementAndGet() - taken.get()).isLessThanOrEqualTo(40);
    }
    talk.halfClose();
    assertThat(talk.next()).isNotNull();
    assertThat(taken).hasValue(400);
  }

  @Test
  void aWatcherThatStopsMissesEventsAndIsToldHowMany() {
    WatchEvents events = new WatchEvents();
    GatewayClient client = client(WatchRequest.parser(), new WatchMethod(events));
    Talk<WatchRequest, WatchResponse> watch = client.watch();
    WatchResponse event =
        WatchResponse.newBuilder().setStep(Step.newBuilder().setTrainer("x".repeat(8192))).build();
    int told = 10_000;
    for (int i = 0; i < told; i++) {
      events.tell(event);
    }
    events.close();
    int came = 0;
    long missed = 0;
    for (WatchResponse next = watch.next(); next != null; next = watch.next()) {
      came += next.hasStep() ? 1 : 0;
      missed += next.getMissed();
    }
    assertThat(came + missed).isEqualTo(told);
    // The events that are kept for a watcher, those on their way, and those that the client takes.
    assertThat(came)
        .isBetween(
            WatchEvents.Watcher.CAPACITY, WatchEvents.Watcher.CAPACITY + ServerCall.AHEAD + 20);
  }
}
