// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.optim.server.Batching;
import dev.tensorbus.optim.server.Predictor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelHandlerTest {
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Linear network = new Linear(2, 1, new SplittableRandom(1));

  @AfterEach
  void close() {
    client.close();
    vertx.close().await();
  }

  private ModelHandler handler(UnaryOperator<Tensor> forward) {
    return ModelHandler.create(
        new Predictor(network, forward, Shape.of(2)), new Batching(64, Duration.ZERO), registry);
  }

  private URI serve(Router router) {
    HttpServer server =
        vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await();
    return URI.create("http://127.0.0.1:" + server.actualPort() + "/predict");
  }

  private URI serve(ModelHandler handler) {
    Router router = Router.router(vertx);
    router.post("/predict").handler(handler);
    return serve(router);
  }

  private HttpResponse<String> post(URI uri, String body) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  /// Weights `[w, w]` without a bias, so that the prediction for `[1, 1]` is 2 w.
  private static StateDict weights(float w) {
    return new StateDict(
        Map.of(
            "weight", Tensor.of(Shape.of(1, 2), new float[] {w, w}),
            "bias", Tensor.of(Shape.of(1), new float[] {0})));
  }

  @Test
  void eachExampleHasAPredictionAndTheAnswerNamesTheVersion() throws Exception {
    try (ModelHandler handler = ModelHandler.create(network, Shape.of(2))) {
      assertThat(handler.load(weights(3))).isEqualTo(2);
      HttpResponse<String> answer = post(serve(handler), "{\"instances\": [[1, 1], [2, 0.5]]}");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("{\"predictions\":[[6.0],[7.5]],\"version\":2}");
    }
  }

  @Test
  void aBodyThatABodyHandlerHasReadIsUsedAndAnAnswerMayHaveAnotherForm() throws Exception {
    try (ModelHandler handler =
        handler(network::forward).setAnswer(row -> new JsonObject().put("price", row.item()))) {
      handler.load(weights(1));
      Router router = Router.router(vertx);
      router.post("/predict").handler(BodyHandler.create(false)).handler(handler);
      assertThat(post(serve(router), "{\"instances\": [[1, 1]]}").body())
          .isEqualTo("{\"predictions\":[{\"price\":2.0}],\"version\":2}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|the body is not JSON",
        "{\"instances\": [[1, 2]|the body is not JSON",
        "{\"instances\": [[1, NaN]]}|the body is not JSON",
        "[[1, 2]]|the body has no array \"instances\"; expected {\"instances\": [example, …]}",
        "null|the body has no array",
        "{\"instances\": 3}|the body has no array",
        "{\"instances\": []}|instances is empty; expected at least one example",
        "{\"instances\": [1, 2]}|instances[0] is a number; expected an array of 2 elements",
        "{\"instances\": [[1]]}|instances[0] is an array of 1 elements; expected 2",
        "{\"instances\": [[1, 2], [1, 2, 3]]}|instances[1] is an array of 3 elements; expected 2",
        "{\"instances\": [[1, \"2\"]]}|instances[0][1] is a string; expected a number",
        "{\"instances\": [[1, null]]}|instances[0][1] is null; expected a number",
        "{\"instances\": [[true, 2]]}|instances[0][0] is a boolean; expected a number",
        "{\"instances\": [[1, {}]]}|instances[0][1] is an object; expected a number",
        "{\"instances\": [[1, [2]]]}|instances[0][1] is an array of 1 elements; expected a number",
        "{\"instances\": [[1, 1e39]]}|instances[0][1] is 1.0E39; expected a number in the range",
      })
  void aBadBodyIsAnsweredWith400AndOneLine(String body, String message) throws Exception {
    try (ModelHandler handler = handler(network::forward)) {
      HttpResponse<String> answer = post(serve(handler), body);
      assertThat(answer.statusCode()).isEqualTo(400);
      String error = new JsonObject(answer.body()).getString("error");
      assertThat(error).contains(message).doesNotContain("\n");
      assertThat(registry.get("tensorbus.model.requests").tag("status", "400").timer().count())
          .isEqualTo(1);
    }
  }

  private ModelHandler words() {
    var embedding = new Embedding(5, 1, new SplittableRandom(1));
    embedding.load(
        new StateDict(
            Map.of("weight", Tensor.of(Shape.of(5, 1), new float[] {0, 10, 20, 30, 40}))));
    return ModelHandler.create(embedding, Shape.of(2), DType.INT64);
  }

  @Test
  void examplesMayBeWholeNumbers() throws Exception {
    try (ModelHandler handler = words()) {
      assertThat(post(serve(handler), "{\"instances\": [[4, 0], [1.0, 3e0]]}").body())
          .isEqualTo("{\"predictions\":[[[40.0],[0.0]],[[10.0],[30.0]]],\"version\":1}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.5|instances[0][1] is 1.5; expected a whole number in the range of int64, since",
        "9223372036854775808|is 9223372036854775808; expected a whole number in the range of int64",
        "1e19|instances[0][1] is 1.0E19; expected a whole number in the range of int64",
        "1e999|instances[0][1] is Infinity; expected a whole number in the range of int64",
        "\"1\"|instances[0][1] is a string; expected a number, since an example has the shape [2]",
        "9223372036854775807|9223372036854775807",
        "5|5",
        "-1|-1",
      })
  void indicesThatAreNotWholeOrTooLargeAreABadBody(String index, String message) throws Exception {
    try (ModelHandler handler = words()) {
      HttpResponse<String> answer =
          post(serve(handler), "{\"instances\": [[0, %s]]}".formatted(index));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      String error = new JsonObject(answer.body()).getString("error");
      assertThat(error).contains(message).doesNotContain("\n");
    }
  }

  @Test
  void examplesOfOtherTypesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelHandler.create(network, Shape.of(2), DType.BOOL))
        .withMessage("instances: examples are bool; expected float32 or int64");
  }

  @Test
  void deeplyNestedArraysAreABadBody() throws Exception {
    try (ModelHandler handler = handler(network::forward)) {
      URI uri = serve(handler);
      assertThat(post(uri, "{\"instances\":" + "[".repeat(500_000)).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void aBodyAboveTheLimitIsAnsweredWith413() throws Exception {
    try (ModelHandler handler = handler(network::forward).setBodyLimit(100)) {
      HttpResponse<String> answer = post(serve(handler), " ".repeat(101));
      assertThat(answer.statusCode()).isEqualTo(413);
      assertThat(answer.body())
          .isEqualTo("{\"error\":\"the body has more than 100 bytes; send fewer examples\"}");
    }
  }

  @Test
  void moreWaitingRequestsThanTheLimitAreAnsweredWith503AndRetryAfter() throws Exception {
    CountDownLatch isComputing = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    UnaryOperator<Tensor> slow =
        examples -> {
          isComputing.countDown();
          await(mayEnd);
          return network.forward(examples);
        };
    try (ModelHandler handler = handler(slow).setQueueLimit(1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      URI uri = serve(handler);
      Future<Integer> first =
          threads.submit(() -> post(uri, "{\"instances\": [[1, 1]]}").statusCode());
      isComputing.await();
      HttpResponse<String> refused = post(uri, "{\"instances\": [[1, 1]]}");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(200);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aModelThatReturnsNanIsAnErrorOfTheServer() throws Exception {
    try (ModelHandler handler = handler(network::forward)) {
      handler.load(weights(Float.NaN));
      HttpResponse<String> answer = post(serve(handler), "{\"instances\": [[1, 1]]}");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("see the log of the server");
    }
  }

  @Test
  void aStateThatDoesNotFitIsRefusedAndTheVersionRemains() {
    try (ModelHandler handler = handler(network::forward)) {
      StateDict other = new Linear(3, 1, new SplittableRandom(1)).state();
      assertThatThrownBy(() -> handler.load(other)).hasMessageContaining("weight");
      assertThat(handler.load(weights(1))).isEqualTo(2);
    }
  }

  @Test
  void aClosedHandlerRefuses() throws Exception {
    ModelHandler handler = handler(network::forward);
    URI uri = serve(handler);
    handler.close();
    assertThat(post(uri, "{\"instances\": [[1, 1]]}").statusCode()).isEqualTo(503);
  }

  @Test
  void noRequestOfEightClientsFailsOrSeesTwoVersionsWhileTheWeightsChange() throws Exception {
    try (ModelHandler handler = handler(network::forward);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      handler.load(weights(2)); // version n has the weights n
      URI uri = serve(handler);
      List<Future<Long>> clients = new ArrayList<>();
      clients.add(threads.submit(() -> ask(uri, seen -> load(handler, seen + 1))));
      for (int i = 1; i < 8; i++) {
        clients.add(threads.submit(() -> ask(uri, seen -> {})));
      }
      for (Future<Long> client : clients) {
        assertThat(client.get()).isGreaterThanOrEqualTo(2);
      }
      assertThat(clients.getFirst().get()).isEqualTo(101);
      assertThat(registry.get("tensorbus.model.requests").tag("status", "200").timer().count())
          .isEqualTo(8 * 100);
      assertThat(registry.get("tensorbus.model.batch.rows").summary().totalAmount())
          .isEqualTo(8 * 100 * 2);
    }
  }

  private static void load(ModelHandler handler, long version) {
    assertThat(handler.load(weights(version))).isEqualTo(version);
  }

  /// Sends requests one after another, and returns the last version.
  private long ask(URI uri, LongConsumer answered) throws IOException, InterruptedException {
    long last = 2;
    for (int i = 0; i < 100; i++) {
      HttpResponse<String> answer = post(uri, "{\"instances\": [[1, 1], [0, 1]]}");
      assertThat(answer.statusCode()).isEqualTo(200);
      JsonObject json = new JsonObject(answer.body());
      long version = json.getLong("version");
      assertThat(version).isGreaterThanOrEqualTo(last);
      float weight = version;
      assertThat(json.getJsonArray("predictions").encode())
          .isEqualTo("[[%s],[%s]]".formatted(2 * weight, weight));
      last = version;
      answered.accept(version);
    }
    return last;
  }
}
