// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.transport.listen.Authority;
import dev.tensorbus.rpc.transport.listen.Certificates;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  private static HttpServer server;

  @BeforeAll
  static void open() throws Exception {
    authority = Authority.in(folder.resolve("certs"), 1);
    worker = authority.certify("worker");
    prometheus = authority.certifyClient("prometheus");
    server =
        LocalHttp.server(
                VERTX,
                LocalHttp.encrypted(worker),
                true,
                request -> request.response().end("metrics"))
            .listen(0, "127.0.0.1")
            .await();
  }

  @AfterAll
  static void close() {
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
    HttpClient client = VERTX.createHttpClient(options);
    try {
      HttpClientRequest request =
          client.request(HttpMethod.GET, server.actualPort(), "127.0.0.1", "/metrics").await();
      assertThat(request.send().await().statusCode()).isEqualTo(200);
      return request.connection().sslSession().getPeerPrincipal().getName();
    } finally {
      client.close().await();
    }
  }

  @Test
  void clientsAndWorkersWithACertificateAreServed() throws Exception {
    assertThat(get(options(prometheus))).isEqualTo(get(options(worker)));
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
    Path next = authority.certify("next");
    for (String file : List.of(Certificates.KEY, Certificates.CERTIFICATE)) {
      Files.copy(next.resolve(file), worker.resolve(file), REPLACE_EXISTING);
    }
    assertThat(MetricsExtension.renew(server, worker).await()).isTrue();
    assertThat(get(options(prometheus))).isEqualTo("CN=next");
  }
}
