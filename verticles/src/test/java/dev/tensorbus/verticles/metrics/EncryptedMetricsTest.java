// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.transport.listen.Authority;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The HTTP server of a worker with certificates.
class EncryptedMetricsTest {
  private static final Vertx VERTX = Vertx.vertx();

  @TempDir private static Path folder;

  private static Authority authority;
  private static Path worker;
  private static Path prometheus;
  private static Vertx host;
  private static MetricsExtension metrics;

  @BeforeAll
  static void open() throws Exception {
    authority = Authority.in(folder.resolve("certs"), 1);
    worker = authority.certify("worker");
    prometheus = authority.certifyClient("prometheus");
    JsonObject given =
        new JsonObject()
            .put("metrics", 0)
            .put("metricsHost", "0.0.0.0")
            .put("tls", worker.toString());
    metrics = new MetricsExtension(WorkerOptions.of(ProgramSettings.with(), given));
    host = new MemoryCluster().start();
    RpcOptions alone = RpcOptions.worldSize(1).withRank(0);
    metrics.start(Rpc.open(host, "worker0", alone).await()).await();
  }

  @AfterAll
  static void close() {
    metrics.stop().await();
    host.close().await();
    VERTX.close().await();
  }

  private static HttpClientOptions options() {
    return new HttpClientOptions()
        .setSsl(true)
        .setTrustOptions(
            new PemTrustOptions().addCertPath(worker.resolve(Certificates.AUTHORITY).toString()))
        .setVerifyHost(false);
  }

  private static HttpClientOptions options(Path own) {
    return options()
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .addCertPath(own.resolve(Certificates.CERTIFICATE).toString())
                .addKeyPath(own.resolve(Certificates.KEY).toString()));
  }

  /// Returns the name of the server that answers.
  private static String get(HttpClientOptions options) throws Exception {
    return get(metrics.port(), options);
  }

  private static String get(int port, HttpClientOptions options) throws Exception {
    HttpClient client = VERTX.createHttpClient(options);
    try {
      HttpClientRequest request =
          client.request(HttpMethod.GET, port, "127.0.0.1", "/metrics").await();
      assertThat(request.send().await().statusCode()).isEqualTo(200);
      return request.connection().sslSession().getPeerPrincipal().getName();
    } finally {
      client.close().await();
    }
  }

  @Test
  void clientsAndWorkersWithACertificateAreServed() throws Exception {
    assertThat(get(options(prometheus))).isEqualTo(get(options(worker))).isEqualTo("CN=worker");
  }

  @Test
  void othersAreRefused(@TempDir Path others) throws Exception {
    Path stranger = Authority.in(others, 1).certifyClient("prometheus");
    isRefused(options(stranger));
    isRefused(options());
    isRefused(options(prometheus).setSsl(false));
  }

  private static void isRefused(HttpClientOptions options) {
    assertThatThrownBy(() -> get(options)).isInstanceOf(Exception.class); // no AssertionError
  }

  @Test
  void renewedFilesAreUsed() throws Exception {
    Path changing = authority.certify("next");
    HttpServer server =
        LocalHttp.server(
                VERTX, LocalHttp.encrypted(worker), true, request -> request.response().end())
            .listen(0, "127.0.0.1")
            .await();
    assertThat(get(server.actualPort(), options(prometheus))).isEqualTo("CN=worker");
    MetricsExtension.renew(VERTX, server, changing).await();
    assertThat(get(server.actualPort(), options(prometheus))).isEqualTo("CN=next");
    Files.delete(changing.resolve(Certificates.KEY));
    assertThatThrownBy(() -> MetricsExtension.renew(VERTX, server, changing).await())
        .hasMessageContaining("tls.key is missing");
    assertThat(get(server.actualPort(), options(prometheus))).isEqualTo("CN=next");
  }
}
