// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.observability;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// An OTLP/HTTP collector on a free loopback port that discards all spans.
public final class SpanSink implements AutoCloseable {
  private final HttpServer server;

  /// Starts the server.
  public SpanSink() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", SpanSink::swallow);
    server.start();
  }

  /// Returns the collector's URL, for `--otlp`.
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static void swallow(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
