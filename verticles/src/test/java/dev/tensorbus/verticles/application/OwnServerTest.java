// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.healthchecks.HealthCheckHandler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The page and the health of a world in the server of an application.
@WithWorkers(2)
final class OwnServerTest {
  private static final String PASSWORD = "open sesame";

  private final HttpClient browser =
      HttpClient.newBuilder().followRedirects(Redirect.NORMAL).build();
  private int port;

  /// Serves the page to those who know the password, and the health to all.
  @BeforeEach
  void serve(MemoryWorld world) {
    Vertx vertx = world.worker(0).vertx();
    Rpc rpc = world.worker(0);
    ObservedWorker.show(world.worker(1));
    Handler<HttpServerRequest> page = ObservedWorker.page(rpc, "/ml/training");
    HealthChecks checks =
        HealthChecks.create(vertx).register("tensorbus", ObservedWorker.health(rpc));
    Router router = Router.router(vertx);
    router.get("/health").handler(HealthCheckHandler.createWithHealthChecks(checks));
    router
        .route("/ml/training/*")
        .handler(
            context -> {
              if (PASSWORD.equals(context.request().getHeader("Authorization"))) {
                page.handle(context.request());
              } else {
                context.response().setStatusCode(401).end();
              }
            });
    port = listen(vertx, router);
  }

  @AfterEach
  void closeBrowser() {
    browser.shutdownNow();
  }

  private static int listen(Vertx vertx, Handler<HttpServerRequest> handler) {
    return vertx
        .createHttpServer()
        .requestHandler(handler)
        .listen(0, "127.0.0.1")
        .await()
        .actualPort();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("Authorization", PASSWORD);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return browser.send(request(path).build(), BodyHandlers.ofString());
  }

  /// Reads snapshots of the page until one is as wanted.
  private JsonObject await(Predicate<JsonObject> wanted) throws IOException, InterruptedException {
    HttpResponse<Stream<String>> events =
        browser.send(request("/ml/training/events").build(), BodyHandlers.ofLines());
    try (Stream<String> lines = events.body()) {
      return lines
          .filter(line -> line.startsWith("data: "))
          .map(line -> new JsonObject(line.substring("data: ".length())))
          .filter(wanted)
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aRouterServesThePageUnderAPath() throws Exception {
    HttpResponse<String> page = get("/ml/training"); // redirects to /ml/training/
    assertThat(page.uri()).hasPath("/ml/training/");
    assertThat(page.body()).contains("<html");
    Pattern.compile("(?:href|src)=\"([^\"]+)\"")
        .matcher(page.body())
        .results()
        .map(found -> page.uri().resolve(found.group(1)))
        .forEach(file -> assertThat(status(file)).as(file.toString()).isEqualTo(200));
    assertThat(get("/ml/training/none").statusCode()).isEqualTo(404);
    assertThat(get("/ml/training/metrics").statusCode()).isEqualTo(404); // the application's own
  }

  private int status(URI file) {
    try {
      return get(file.getPath()).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void thePageShowsEachWorkerOfTheWorld(MemoryWorld world) throws Exception {
    world.worker(1).progress().step(32, 0.5f);
    JsonObject seen =
        await(it -> it.getJsonArray("workers").size() == 2 && it.getLong("steps") == 1);
    assertThat(seen.getJsonObject("run").getInteger("worldSize")).isEqualTo(2);
  }

  @Test
  void theApplicationDecidesWhoSeesThePage() throws Exception {
    HttpRequest stranger =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/ml/training/")).build();
    assertThat(browser.send(stranger, BodyHandlers.discarding()).statusCode()).isEqualTo(401);
    HttpRequest ofAnotherSite =
        request("/ml/training/profile")
            .header("Sec-Fetch-Site", "cross-site")
            .POST(BodyPublishers.noBody())
            .build();
    HttpResponse<String> refused = browser.send(ofAnotherSite, BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).isEqualTo("only the page itself may take a profile\n");
  }

  @Test
  void aPlainServerServesThePageAtItsRoot(MemoryWorld world) throws Exception {
    port = listen(world.worker(1).vertx(), ObservedWorker.page(world.worker(1), "/"));
    assertThat(get("/").body()).contains("<html");
    assertThat(get("/page.js").statusCode()).isEqualTo(200);
  }

  @Test
  void aPageInAPlainServerAnswersOnlyUnderItsPath(MemoryWorld world) throws Exception {
    port = listen(world.worker(1).vertx(), ObservedWorker.page(world.worker(1), "/training/"));
    assertThat(get("/training/page.js").statusCode()).isEqualTo(200);
    assertThat(get("/page.js").statusCode()).isEqualTo(404);
    assertThat(get("/trainings").body()).isEqualTo("the page is at /training/\n");
  }

  @Test
  void thePageKeepsItsLastStateWhenItsWorkerHasLeft(MemoryWorld world) throws Exception {
    world.worker(1).progress().step(32, 0.5f);
    await(it -> it.getLong("steps") == 1);
    world.worker(0).leave().await();
    assertThat(await(it -> it.getBoolean("ended")).getLong("steps")).isEqualTo(1);
  }

  @Test
  void aPathWithoutASlashIsRefused(MemoryWorld world) {
    assertThatThrownBy(() -> ObservedWorker.page(world.worker(0), "training"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the path is \"training\"; expected one that begins with a slash, as /training");
  }

  @Test
  void aWorkerIsHealthyAsLongAsItsWorldIsComplete(MemoryWorld world) throws Exception {
    assertThat(get("/health").statusCode()).isEqualTo(200);
    CountDownLatch noticed = new CountDownLatch(1);
    world.worker(0).onWorkerLost(gone -> noticed.countDown());
    world.kill(1);
    assertThat(noticed.await(1, TimeUnit.MINUTES)).isTrue();
    HttpResponse<String> lost = get("/health");
    assertThat(lost.statusCode()).isEqualTo(503);
    assertThat(cause(lost)).startsWith("no worker of rank 1; known workers: worker0");
  }

  @Test
  void aWorkerThatHasLeftIsNotHealthy(MemoryWorld world) throws Exception {
    world.worker(0).leave().await();
    HttpResponse<String> left = get("/health");
    assertThat(left.statusCode()).isEqualTo(503);
    assertThat(cause(left)).startsWith("no worker \"worker0\"");
  }

  /// The cause of the first failed check.
  private static String cause(HttpResponse<String> answer) {
    JsonArray checks = new JsonObject(answer.body()).getJsonArray("checks");
    return checks.getJsonObject(0).getJsonObject("data").getString("cause");
  }
}
