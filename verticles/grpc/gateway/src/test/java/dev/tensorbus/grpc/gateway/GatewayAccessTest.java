// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tensorbus.grpc.gateway.server.AccessToken;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.server.GatewayOptions.Tls;
import dev.tensorbus.grpc.gateway.server.GatewayServer;
import dev.tensorbus.grpc.gateway.server.Right;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The gateway's token, its limit of calls, and its TLS.
class GatewayAccessTest {
  private static String error(GatewayClient client) {
    return GatewayClient.describe(
        catchThrowableOfType(StatusRuntimeException.class, client::workers));
  }

  private static GatewayClient showing(GatewayClient client, String token) {
    return client.with(CallOptions.DEFAULT.withCallCredentials(new Bearer(token)));
  }

  @Test
  void onlyWhoShowsTheTokenIsServed() {
    try (TestGateway world = new TestGateway(GatewayOptions.onLoopback(0).withToken("s3cret"), 0)) {
      GatewayClient client = world.client();
      assertThat(error(client))
          .isEqualTo(
              "UNAUTHENTICATED [NO_TOKEN]: no token; send the metadata \"authorization: Bearer"
                  + " TOKEN\"");
      assertThat(error(showing(client, "guess")))
          .isEqualTo(
              "UNAUTHENTICATED [WRONG_TOKEN]: the token is not this worker's; see its"
                  + " --grpc-token-file");
      assertThat(showing(client, "s3cret").workers().getSelf()).isEqualTo("server");
    }
  }

  @Test
  void aTokenPermitsItsRightsOnly() {
    GatewayOptions options =
        GatewayOptions.onLoopback(0)
            .withTokens(
                new AccessToken("reads", Set.of(Right.PULL, Right.PREDICT)),
                new AccessToken("watches", Set.of(Right.WATCH)));
    try (TestGateway world = new TestGateway(options, 0)) {
      assertThat(error(showing(world.client(), "reads")))
          .isEqualTo(
              "PERMISSION_DENIED [NO_RIGHT]: the token does not permit to watch; it permits:"
                  + " predict, pull; see the worker's --grpc-token-file");
      assertThat(showing(world.client(), "watches").workers().getSelf()).isEqualTo("server");
    }
  }

  @Test
  void healthNeedsNoTokenUnlessItIsWatched() {
    try (TestGateway world = new TestGateway(GatewayOptions.onLoopback(0).withToken("s3cret"), 0)) {
      for (String service : List.of("", "tensorbus.v1.Tensorbus")) {
        assertThat(world.client().health(service)).isEqualTo(ServingStatus.SERVING);
      }
      GatewayClient patient =
          world.client().with(CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.MINUTES));
      assertThatThrownBy(patient::watchHealth).hasMessageContaining("UNAUTHENTICATED");
    }
  }

  @Test
  void tlsServesWhoTrustsTheCertificateAndNobodyInTheClear(@TempDir Path folder) throws Exception {
    Tls tls = Certificates.make(folder);
    try (TestGateway world = new TestGateway(GatewayOptions.onLoopback(0).with(tls), 0)) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("localhost", world.gateway.port())
              .sslContext(
                  GrpcSslContexts.forClient().trustManager(tls.certificate().toFile()).build())
              .build();
      try {
        assertThat(new GatewayClient(channel).workers().getSelf()).isEqualTo("server");
      } finally {
        channel.shutdownNow();
      }
      GatewayClient clear =
          world.client().with(CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.MINUTES));
      assertThatThrownBy(clear::workers)
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("UNAVAILABLE");
    }
  }

  @Test
  void tooManyCallsAtOnceAreToldToComeBack() {
    Limits limits = Limits.STANDARD.withCalls(1, 0);
    try (TestGateway world = new TestGateway(GatewayOptions.onLoopback(0).within(limits), 0)) {
      world.client().watch();
      StatusRuntimeException error =
          catchThrowableOfType(StatusRuntimeException.class, world.client()::workers);
      assertThat(GatewayClient.describe(error))
          .isEqualTo(
              "UNAVAILABLE [BUSY]: the gateway has no capacity for another call of this client;"
                  + " it serves 1 concurrently (--grpc-calls), and a connection at most as many"
                  + " as remain free; retry later");
      assertThat(GatewayClient.hasRetry(error)).isTrue();
    }
  }

  @Test
  void whoCallsTooOftenIsToldWhenToComeBack() {
    Limits limits = Limits.STANDARD.withCalls(100, 1);
    try (TestGateway world = new TestGateway(GatewayOptions.onLoopback(0).within(limits), 0)) {
      GatewayClient client = world.client();
      StatusRuntimeException error =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () -> {
                for (int call = 0; call < 100; call++) { // none takes a second
                  client.workers();
                }
              });
      assertThat(GatewayClient.describe(error))
          .isEqualTo(
              "RESOURCE_EXHAUSTED [TOO_MANY_CALLS]: more than 1 calls per second, the limit of"
                  + " --grpc-rate");
      assertThat(GatewayClient.hasRetry(error)).isTrue();
    }
  }

  @Test
  void aGatewayToTheNetworkWithoutTlsIsToldLoudly() {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Logger log = Logger.getLogger(GatewayServer.class.getName());
    Handler listener = new Listener(warnings);
    log.addHandler(listener);
    try (TestGateway world = new TestGateway(GatewayOptions.onLoopback(0).on("0.0.0.0"), 0)) {
      assertThat(warnings)
          .filteredOn(line -> line.startsWith("GRPC IS OPEN")) // other gateways log here too
          .singleElement()
          .asString()
          .isEqualTo(
              ("GRPC IS OPEN TO THE NETWORK WITHOUT TLS at 0.0.0.0:%d: anyone on the path can"
                      + " read and change all traffic, including the token. Set --grpc-cert and"
                      + " --grpc-key, or bind to 127.0.0.1.")
                  .formatted(world.gateway.port()));
    } finally {
      log.removeHandler(listener);
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (TestGateway world = new TestGateway()) {
      assertThatThrownBy(() -> new TestGateway(GatewayOptions.onLoopback(world.gateway.port()), 0))
          .hasMessageStartingWith(
              "the gRPC gateway cannot open at 127.0.0.1:" + world.gateway.port() + ": ");
    }
  }

  private static final class Listener extends Handler {
    private final List<String> warnings;

    Listener(List<String> warnings) {
      this.warnings = warnings;
    }

    @Override
    public void publish(LogRecord record) {
      if (record.getLevel() == Level.WARNING) {
        warnings.add(new SimpleFormatter().formatMessage(record));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static final class Bearer extends CallCredentials {
    private final String token;

    Bearer(String token) {
      this.token = token;
    }

    @Override
    public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
      Metadata metadata = new Metadata();
      metadata.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
      applier.apply(metadata);
    }
  }
}
