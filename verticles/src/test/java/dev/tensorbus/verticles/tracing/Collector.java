// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.tracing;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/// A collector of OTLP over HTTP that keeps all spans.
final class Collector implements AutoCloseable {
  private final HttpServer server;
  private final List<Received> spans = new CopyOnWriteArrayList<>();

  /// A span and the worker that sent it.
  private record Received(Span span, String worker) {
    private String line() {
      String kind = span.getKind().name().replace("SPAN_KIND_", "").toLowerCase(Locale.ROOT);
      return span.getName() + " " + kind + " " + worker;
    }
  }

  /// Listens at a free port of loopback.
  Collector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  /// Its address, as `--otlp` has it.
  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
          .getResourceSpansList()
          .forEach(this::take);
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private void take(ResourceSpans sent) {
    String worker =
        sent.getResource().getAttributesList().stream()
            .filter(attribute -> attribute.getKey().equals("service.name"))
            .map(attribute -> attribute.getValue().getStringValue())
            .findFirst()
            .orElseThrow();
    sent.getScopeSpansList().stream()
        .flatMap(scope -> scope.getSpansList().stream())
        .forEach(span -> spans.add(new Received(span, worker)));
  }

  /// The trees whose roots have this line, one text each: a line for each span, below its parent,
  /// in the order in which they began.
  List<String> trees(String root) {
    return spans.stream()
        .filter(span -> span.span().getParentSpanId().isEmpty() && span.line().equals(root))
        .map(span -> tree(span, ""))
        .toList();
  }

  private String tree(Received parent, String indent) {
    StringBuilder text = new StringBuilder(indent + parent.line() + "\n");
    ByteString id = parent.span().getSpanId();
    spans.stream()
        .filter(span -> span.span().getParentSpanId().equals(id))
        .sorted(Comparator.comparingLong(span -> span.span().getStartTimeUnixNano()))
        .forEach(child -> text.append(tree(child, indent + "  ")));
    return text.toString();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
