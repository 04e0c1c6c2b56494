// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static dev.tensorbus.verticles.page.PagedWorld.isComplete;
import static dev.tensorbus.verticles.page.PagedWorld.notices;
import static dev.tensorbus.verticles.page.PagedWorld.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Remote;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The page of a world in memory, as a browser asks for it.
@Tag("slow")
class PageTest {
  private final PagedWorld world = new PagedWorld();

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Remote
  static int twice(int number) {
    return 2 * number;
  }

  @Test
  void itsAddressIsSaid() {
    assertThat(world.said())
        .singleElement()
        .asString()
        .matches("page of this world: http://127\\.0\\.0\\.1:[1-9]\\d*/");
  }

  @Test
  void allFilesThatItNeedsAreItsOwnAndSmall() throws Exception {
    String page = world.get("/").body();
    Deque<String> open = new ArrayDeque<>(references(page, "(?:href|src)=\"([^\"]+)\""));
    Map<String, Integer> sizes = new HashMap<>(Map.of("/", page.length()));
    while (!open.isEmpty()) {
      String name = open.remove();
      if (!sizes.containsKey(name)) {
        String text = file(name);
        sizes.put(name, text.length());
        open.addAll(references(text, "from '\\./([^']+)'"));
      }
    }
    assertThat(sizes).containsKeys("page.js", "plot.js", "uplot.js");
    assertThat(sizes.values().stream().mapToInt(size -> size).sum()).isBetween(60_000, 250_000);
  }

  private static List<String> references(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).toList();
  }

  private String file(String name) throws Exception {
    HttpResponse<String> file = world.get("/" + name);
    assertThat(file.statusCode()).as(name).isEqualTo(200);
    assertThat(file.headers().firstValue("Content-Type")).as(name).isPresent();
    return file.body();
  }

  @Test
  void eachAnswerForbidsWhatIsNotThePagesOwn() throws Exception {
    for (String path : new String[] {"/", "/page.js", "/none"}) {
      HttpResponse<String> answer = world.get(path);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
          .contains("frame-ancestors 'none'")
          .doesNotContain("unsafe", "http", "*");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }
  }

  @Test
  void onlyItsFilesAreThereAndOnlyToRead() throws Exception {
    assertThat(world.get("/none").statusCode()).isEqualTo(404);
    assertThat(world.get("/../page.css").statusCode()).isEqualTo(404);
    assertThat(world.status("POST", "/events")).isEqualTo(405);
    assertThat(world.status("HEAD", "/")).isEqualTo(200);
  }

  @Test
  void theButtonTakesAProfileOfTheNextSteps() throws Exception {
    world.await(PagedWorld::isComplete);
    assertThat(world.get("/trace.json").statusCode()).isEqualTo(404);
    assertThat(world.post("/profile", "same-origin")).isEqualTo(202);
    assertThat(world.post("/profile", "same-origin")).isEqualTo(409);
    while (profile().getString("state").equals("running")) {
      assertThat(world.worker(1).rpcSync("parameter-server", PageTest::twice, 2)).isEqualTo(4);
      for (int step = 0; step < 10; step++) {
        world.progress(1).step(1, 1);
      }
    }
    assertThat(profile().getString("state")).isEqualTo("done");
    assertThat(profile().getString("table")).contains("PageTest.twice");
    assertThat(new JsonObject(world.get("/trace.json").body()).getJsonArray("traceEvents"))
        .isNotEmpty();
  }

  private JsonObject profile() throws Exception {
    return new JsonObject(world.get("/profile").body());
  }

  @Test
  void anotherSiteCannotTakeAProfile() throws Exception {
    assertThat(world.post("/profile", "cross-site")).isEqualTo(403);
    assertThat(world.status("POST", "/profile")).isEqualTo(403);
    assertThat(profile().getString("state")).isEqualTo("none");
  }

  /// A page of a foreign name that leads to 127.0.0.1 must not read this one.
  @Test
  void aForeignNameOfThisMachineIsRefused() throws Exception {
    assertThat(answerTo("GET /events HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(answerTo("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void silentConnectionsKeepNoBrowserOut() throws Exception {
    URI uri = world.uri("/");
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) { // there is room for 256
        silent.add(new Socket(uri.getHost(), uri.getPort()));
      }
      silent.getFirst().setSoTimeout(60_000);
      assertThat(silent.getFirst().getInputStream().read()).isEqualTo(-1);
      assertThat(world.get("/").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private String answerTo(String request) throws Exception {
    URI uri = world.uri("/");
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readNBytes(16), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void eventsTellOfAllWorkersOfTheWorld() throws Exception {
    JsonObject snapshot = world.await(PagedWorld::isComplete);
    assertThat(snapshot.getJsonObject("run").getInteger("worldSize")).isEqualTo(3);
    assertThat(snapshot.getBoolean("ended")).isFalse();
    assertThat(notices(snapshot)).isEmpty();
    JsonObject trainer = worker(snapshot, "trainer2");
    assertThat(trainer.getString("role")).isEqualTo("trainer");
    assertThat(trainer.getString("state")).isEqualTo("HERE");
    assertThat(trainer.getJsonObject("status").getInteger("rank")).isEqualTo(2);
    assertThat(trainer.getJsonObject("status").getLong("pid"))
        .isEqualTo(ProcessHandle.current().pid());
    assertThat(trainer.getJsonObject("jvm").getLong("heap")).isPositive();
    assertThat(trainer.getJsonObject("jvm").getLong("direct")).isNotNegative();
  }

  @Test
  void eventsTellHowFarATrainingIs() throws Exception {
    world.progress(1).start(3);
    world.progress(1).step(32, 0.5f);
    world.progress(1).scalar("accuracy", 0.75);
    world.progress(1).say("epoch 1");
    JsonObject snapshot =
        world.await(
            one ->
                isComplete(one)
                    && training(one).getInteger("steps") == 1
                    && training(one).getJsonObject("scalars").containsKey("accuracy")
                    && !one.getJsonArray("log").isEmpty());
    assertThat(world.get("/run.jsonl").body())
        .startsWith("{\"run\":{\"program\":")
        .containsPattern(
            "\\{\"loss\":0.5,\"time\":\"[^\"]+Z\",\"step\":1,\"worker\":\"trainer1\"}");
    JsonObject training = training(snapshot);
    assertThat(training.getInteger("planned")).isEqualTo(3);
    assertThat(training.getInteger("samples")).isEqualTo(32);
    assertThat(training.getJsonObject("scalars").getDouble("accuracy")).isEqualTo(0.75);
    assertThat(snapshot.getJsonArray("log"))
        .anyMatch(line -> ((JsonObject) line).getString("text").equals("epoch 1"));
  }

  @Test
  void eachEventHasThePointsSinceTheOneBefore() throws Exception {
    JsonObject later =
        world.await(
            one -> {
              world.progress(1).step(32, 0.5f); // until a report has reached a snapshot
              return losses(one).findAny().isPresent();
            });
    assertThat(losses(later))
        .allSatisfy(
            point -> {
              assertThat(point.getDouble("loss")).isEqualTo(0.5);
              assertThat(point.getString("worker")).isEqualTo("trainer1");
              assertThat(point.getLong("step")).isPositive();
            });
    world.await(one -> losses(one).findAny().isEmpty()); // they are not told again
  }

  private static Stream<JsonObject> losses(JsonObject snapshot) {
    return points(snapshot).filter(point -> point.containsKey("loss"));
  }

  private static JsonObject training(JsonObject snapshot) {
    return worker(snapshot, "trainer1").getJsonObject("training");
  }

  private static Stream<JsonObject> points(JsonObject snapshot) {
    return snapshot.getJsonArray("points").stream().map(JsonObject.class::cast);
  }

  @Test
  void eventsCountCallsByMethodOnBothSides() throws Exception {
    world.await(PagedWorld::isComplete); // from then on they count
    for (int n = 0; n < 5; n++) {
      assertThat(world.worker(1).rpcSync("parameter-server", PageTest::twice, n)).isEqualTo(2 * n);
    }
    JsonObject snapshot =
        world.await(
            one ->
                counts(one, "trainer1", "made") == 5
                    && counts(one, "parameter-server", "served") == 5);
    assertThat(counts(snapshot, "trainer2", "made")).isZero();
  }

  private static long counts(JsonObject snapshot, String worker, String side) {
    return worker(snapshot, worker).getJsonArray("methods").stream()
        .map(JsonObject.class::cast)
        .filter(one -> one.getString("side").equals(side))
        .filter(one -> one.getString("method").equals("PageTest.twice"))
        .mapToLong(one -> one.getLong("count"))
        .sum();
  }

  @Test
  void aKilledWorkerIsNamed() throws Exception {
    world.await(PagedWorld::isComplete);
    world.kill(2);
    JsonObject snapshot = world.await(one -> notices(one).contains("trainer2 is lost"));
    assertThat(notices(snapshot))
        .filteredOn(notice -> notice.contains("is lost"))
        .containsExactly("trainer2 is lost");
    assertThat(worker(snapshot, "trainer2").getString("state")).isEqualTo("LOST");
    assertThat(worker(snapshot, "trainer1").getString("state")).isEqualTo("HERE");
  }

  @Test
  void theStepsThatALostWorkerLeavesAreNotWaitedForAndTold() throws Exception {
    for (int rank = 1; rank <= 2; rank++) {
      world.progress(rank).start(5);
      world.progress(rank).step(32, 0.5f);
    }
    JsonObject before = world.await(one -> isComplete(one) && one.getInteger("steps") == 2);
    assertThat(before.getInteger("planned")).isEqualTo(10);
    world.kill(2);
    String lost = "trainer2 is lost: 4 of its 5 steps and their data are left out";
    JsonObject after = world.await(one -> notices(one).contains(lost));
    assertThat(notices(after))
        .filteredOn(notice -> notice.contains("is lost"))
        .containsExactly(lost);
    assertThat(after.getInteger("steps")).isEqualTo(2);
    assertThat(after.getInteger("planned")).isEqualTo(6);
  }

  @Test
  void atTheEndTheLastStateStays() throws Exception {
    world.await(PagedWorld::isComplete);
    world.page().stop().await();
    for (int reader = 0; reader < 2; reader++) {
      JsonObject snapshot = world.await(one -> true);
      assertThat(snapshot.getBoolean("ended")).isTrue();
      assertThat(worker(snapshot, "trainer1").getString("state")).isEqualTo("DONE");
    }
  }

  @Test
  void aPortThatIsTakenIsAnErrorThatNamesIt() {
    int taken = world.uri("/").getPort();
    PageExtension second = world.another(taken);
    assertThatThrownBy(() -> second.start(world.worker(0)).await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the page cannot listen on port %d of 127.0.0.1: ", taken)
        .hasMessageEndingWith("; set --page to a free port");
    second.stop().await();
  }

  @Test
  void itsPortHasTheMetricsAndTheHealthOfRank0() throws Exception {
    assertThat(world.get("/health").body()).isEqualTo("ok\n");
    HttpResponse<String> metrics = world.get("/metrics");
    assertThat(metrics.statusCode()).isEqualTo(200);
    assertThat(metrics.body()).contains("tensorbus_world_size{worker=\"parameter-server\"} 3.0");
    world.kill(2);
    world.await(one -> notices(one).contains("trainer2 is lost"));
    assertThat(world.get("/health").statusCode()).isEqualTo(503);
  }

  @Test
  void itEndsWithItsWorker() {
    URI uri = world.uri("/");
    world.close();
    assertThatThrownBy(() -> new Socket(uri.getHost(), uri.getPort()).close())
        .isInstanceOf(ConnectException.class);
  }
}
