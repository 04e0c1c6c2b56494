// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Snapshots on their way to browsers.
class EventStreamsTest {
  private static final String SNAPSHOT = new JsonObject().put("text", "a".repeat(1 << 20)).encode();
  private static final int SENT = 200;

  private final Vertx vertx = Vertx.vertx();
  private final EventStreams streams = new EventStreams();
  private final HttpServer server =
      vertx
          .createHttpServer()
          .requestHandler(request -> streams.open(request.response(), "{}"))
          .listen(0, "127.0.0.1")
          .await();

  @AfterEach
  void closeVertx() {
    vertx.close().await();
  }

  private Socket reader() throws IOException {
    Socket socket = new Socket("127.0.0.1", server.actualPort());
    socket
        .getOutputStream()
        .write("GET /events HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /// Reads until this event has come.
  private static String await(Scanner lines, String data) {
    while (true) {
      String line = lines.nextLine();
      if (line.startsWith("data: ") && line.contains(data)) {
        return line;
      }
    }
  }

  @Test
  void anOpenStreamGetsASnapshotAtOnceAndThenEach() throws Exception {
    try (Socket socket = reader();
        Scanner lines = new Scanner(socket.getInputStream(), StandardCharsets.UTF_8)) {
      assertThat(await(lines, "{}")).isEqualTo("data: {}");
      streams.send("{\"n\":1}");
      assertThat(await(lines, "n")).isEqualTo("data: {\"n\":1}");
    }
  }

  /// Events that do not fit into the buffers of both sockets are left out: no memory fills.
  @Test
  void oneThatDoesNotReadMissesSnapshots() throws Exception {
    try (Socket socket = reader();
        Scanner lines = new Scanner(socket.getInputStream(), StandardCharsets.UTF_8)) {
      await(lines, "{}"); // it is open
      for (int n = 0; n < SENT; n++) {
        streams.send(SNAPSHOT);
      }
      server.close();
      long read = socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      assertThat(read).isLessThan((long) SENT / 2 * SNAPSHOT.length());
    }
  }
}
