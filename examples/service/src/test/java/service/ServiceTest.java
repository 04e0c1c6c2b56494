// SPDX-License-Identifier: Apache-2.0
package service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithWorkers(1)
final class ServiceTest {
  /// What `curl -d` says that it sends.
  private static final String FORM = "application/x-www-form-urlencoded";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Batch digits = Batch.of(StrokeDigits.draw(320, new Random(1)));
  @TempDir private Path checkpoints;

  @AfterEach
  void closeClient() {
    client.shutdownNow();
  }

  private URI start(Rpc rpc, Service service) {
    HttpServer server = rpc.vertx().createHttpServer().requestHandler(service.router());
    return URI.create("http://127.0.0.1:" + server.listen(0, "127.0.0.1").await().actualPort());
  }

  private HttpResponse<String> post(URI uri, JsonObject body) throws Exception {
    var request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", FORM)
            .POST(BodyPublishers.ofString(body.encode()))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> get(URI uri) throws Exception {
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /// The body of a request with some of the digits.
  private JsonObject body(int from, int to) {
    JsonArray images = new JsonArray();
    JsonArray labels = new JsonArray();
    for (int i = from; i < to; i++) {
      JsonArray pixels = new JsonArray();
      for (float pixel : digits.inputs().select(0, i).values()) {
        pixels.add(pixel);
      }
      images.add(pixels);
      labels.add(digits.targets().longs()[i]);
    }
    return new JsonObject().put("instances", images).put("labels", labels);
  }

  /// The share of the first digits that are predicted correctly. No request may fail.
  private double accuracy(URI service) throws Exception {
    HttpResponse<String> answer = post(service.resolve("/predictions"), body(0, 32));
    assertEquals(200, answer.statusCode(), answer.body());
    JsonArray predictions = new JsonObject(answer.body()).getJsonArray("predictions");
    int right = 0;
    for (int i = 0; i < predictions.size(); i++) {
      right +=
          predictions.getJsonObject(i).getInteger("digit") == digits.targets().longs()[i] ? 1 : 0;
    }
    return (double) right / predictions.size();
  }

  @Test
  void itLearnsFromFeedbackAndResumesFromItsCheckpoint(MemoryWorld world) throws Exception {
    Rpc rpc = world.worker(0);
    var service = new Service(rpc, checkpoints);
    URI uri = start(rpc, service);
    double before = accuracy(uri);
    for (int i = 0; i < 40; i++) {
      int from = 32 * (i % 10);
      assertEquals(202, post(uri.resolve("/feedback"), body(from, from + 32)).statusCode());
      if (i % 10 == 9) {
        service.learn();
      }
    }
    double after = accuracy(uri);
    assertTrue(after > before + 0.4, before + ", then " + after);
    assertEquals(after, accuracy(start(rpc, new Service(rpc, checkpoints))));
  }

  @Test
  void badFeedbackIsRefusedAndAFullQueueAsksToWait(MemoryWorld world) throws Exception {
    Rpc rpc = world.worker(0);
    URI feedback = start(rpc, new Service(rpc, checkpoints)).resolve("/feedback"); // does not learn
    JsonObject tooLarge = body(0, 1).put("labels", new JsonArray().add(10));
    HttpResponse<String> refused = post(feedback, tooLarge);
    assertEquals(400, refused.statusCode());
    String error = "a label is 10; expected the index of a class, from 0 to 9";
    assertEquals("{\"error\":\"" + error + "\"}", refused.body());
    assertEquals(400, post(feedback, new JsonObject()).statusCode());
    assertEquals(
        400, post(feedback, body(0, 2).put("labels", new JsonArray().add(1))).statusCode());
    for (int i = 0; i < 64; i++) {
      assertEquals(202, post(feedback, body(i, i + 1)).statusCode());
    }
    assertEquals(503, post(feedback, body(0, 1)).statusCode());
  }

  @Test
  void itShowsItsPageAndItsHealth(MemoryWorld world) throws Exception {
    Rpc rpc = world.worker(0);
    URI uri = start(rpc, new Service(rpc, checkpoints));
    assertEquals(200, get(uri.resolve("/health")).statusCode());
    HttpResponse<String> page = get(uri.resolve("/page/"));
    assertEquals(200, page.statusCode());
    assertTrue(page.body().contains("<html"), page.body());
  }
}
