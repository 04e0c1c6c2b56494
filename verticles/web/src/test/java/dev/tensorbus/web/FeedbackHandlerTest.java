// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.models.data.Batch;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedbackHandlerTest {
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();
  private final FeedbackHandler feedback = FeedbackHandler.create(Shape.of(2), 10);

  @AfterEach
  void close() {
    client.close();
    vertx.close().await();
  }

  private URI serve(FeedbackHandler handler) {
    Router router = Router.router(vertx);
    router.post("/feedback").handler(handler);
    HttpServer server =
        vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await();
    return URI.create("http://127.0.0.1:" + server.actualPort() + "/feedback");
  }

  private HttpResponse<String> post(URI uri, String body) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void takeReturnsTheExamplesOfAllQueuedRequestsInOrder() throws Exception {
    URI uri = serve(feedback);
    HttpResponse<String> answer =
        post(uri, "{\"instances\": [[1, 2], [3, 4]], \"labels\": [7, 0]}");
    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).isEmpty();
    post(uri, "{\"instances\": [[5, 6]], \"labels\": [9]}");
    Batch batch = feedback.take();
    assertThat(batch.inputs().values()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(batch.targets().longs()).containsExactly(7, 0, 9);
  }

  @Test
  void labelsMayBeValues() throws Exception {
    FeedbackHandler prices = FeedbackHandler.create(Shape.of(2), Shape.of(1));
    URI uri = serve(prices);
    assertThat(post(uri, "{\"instances\": [[1, 2]], \"labels\": [[0.5]]}").statusCode())
        .isEqualTo(202);
    assertThat(prices.take().targets().values()).containsExactly(0.5f);
    assertThat(post(uri, "{\"instances\": [[1, 2]], \"labels\": [0.5]}").statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|the body is not JSON",
        "{\"instances\": [[1, 2]]}|the body has no array \"labels\"",
        "{\"labels\": [1]}|the body has no array \"instances\"",
        "{\"instances\": [[1, 2]], \"labels\": [0.5]}|labels[0] is 0.5; expected a whole number",
        "{\"instances\": [[1, 2]], \"labels\": [10]}|a label is 10; expected the index of a class,"
            + " from 0 to 9",
        "{\"instances\": [[1, 2]], \"labels\": [-1]}|a label is -1; expected the index of a class,"
            + " from 0 to 9",
        "{\"instances\": [[1, 2], [3, 4]], \"labels\": [1]}|pass one target for each input",
      })
  void aBadBodyIsRefusedInOneLineAndNotQueued(String body, String error) throws Exception {
    URI uri = serve(feedback.setQueueLimit(1));
    HttpResponse<String> answer = post(uri, body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).startsWith("{\"error\":\"").doesNotContain("\n");
    assertThat(answer.body().replace("\\\"", "\"")).contains(error);
    String good = "{\"instances\": [[1, 2]], \"labels\": [1]}";
    assertThat(post(uri, good).statusCode()).isEqualTo(202);
  }

  @Test
  void aFullQueueAsksToWaitUntilItsExamplesAreTaken() throws Exception {
    URI uri = serve(feedback.setQueueLimit(2));
    String good = "{\"instances\": [[1, 2]], \"labels\": [1]}";
    assertThat(post(uri, good).statusCode()).isEqualTo(202);
    assertThat(post(uri, good).statusCode()).isEqualTo(202);
    HttpResponse<String> full = post(uri, good);
    assertThat(full.statusCode()).isEqualTo(503);
    assertThat(full.headers().firstValue("retry-after")).contains("1");
    assertThat(full.body()).isEqualTo("{\"error\":\"2 requests are queued; try again later\"}");
    assertThat(feedback.take().size()).isEqualTo(2);
    assertThat(post(uri, good).statusCode()).isEqualTo(202);
  }

  @Test
  void aBodyMayNotBeLargerThanTheLimit() throws Exception {
    URI uri = serve(feedback.setBodyLimit(10));
    assertThat(post(uri, "{\"instances\": [[1, 2]], \"labels\": [1]}").statusCode()).isEqualTo(413);
  }

  @Test
  void anInterruptEndsTheWaitingAndRemainsVisible() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(feedback::take)
        .isInstanceOf(CancellationException.class)
        .hasMessage("interrupted while waiting for feedback");
    assertThat(Thread.interrupted()).isTrue();
  }
}
