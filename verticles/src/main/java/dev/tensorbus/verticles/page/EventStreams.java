// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Sends each new snapshot to the open browsers as a server-sent event. Thread-safe.
final class EventStreams {
  private static final int MOST_STREAMS = 32;

  /// Tells browsers to reconnect after 1000 ms.
  private static final String RETRY = "retry: 1000\n";

  private final Set<HttpServerResponse> streams = ConcurrentHashMap.newKeySet();

  /// Opens a stream that starts with this snapshot, or answers 503 if too many streams are open.
  void open(HttpServerResponse response, String snapshot) {
    if (streams.size() >= MOST_STREAMS) {
      response.setStatusCode(503).end("too many pages are open; close some\n");
      return;
    }
    response.closeHandler(closed -> streams.remove(response));
    response.exceptionHandler(error -> streams.remove(response));
    streams.add(response);
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream; charset=utf-8")
        .setChunked(true)
        .write(RETRY + event(snapshot));
  }

  boolean isEmpty() {
    return streams.isEmpty();
  }

  /// Sends a snapshot to all streams. Skips a stream whose browser has not read the previous one,
  /// so that no backlog builds up.
  void send(String snapshot) {
    String event = event(snapshot);
    for (HttpServerResponse stream : streams) {
      if (!stream.writeQueueFull()) {
        stream.write(event);
      }
    }
  }

  private static String event(String snapshot) {
    return "data: " + snapshot + "\n\n";
  }
}
