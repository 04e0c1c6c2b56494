// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.page.PageFiles.PageFile;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/// Answers the requests of browsers: the page's files, and `/events`, the snapshots of a world.
/// `/metrics` and `/health` are those of rank 0.
///
/// @param access who gets an answer
record PageHandler(
    Access access, PageFiles files, EventStreams streams, Board board, MetricsExtension metrics)
    implements Handler<HttpServerRequest> {
  /// The page loads nothing from elsewhere, and no other page may show it.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  @Override
  public void handle(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    response
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    if (!HttpMethod.GET.equals(request.method()) && !HttpMethod.HEAD.equals(request.method())) {
      response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      end(response, 405, "the page can only be read\n");
    } else if (!access.allows(request)) {
      end(response, 403, "use the URL that rank 0 printed when it started\n");
    } else if (access.isShownIn(request) && "/".equals(request.path())) {
      response.addCookie(access.cookie(request)).putHeader(HttpHeaders.LOCATION, request.path());
      end(response, 303, "");
    } else {
      answer(request);
    }
  }

  private void answer(HttpServerRequest request) {
    switch (request.path()) {
      case "/events" -> stream(request);
      case "/metrics", "/health" -> metrics.answer(request);
      case null, default -> file(request);
    }
  }

  private void stream(HttpServerRequest request) {
    if (HttpMethod.HEAD.equals(request.method())) {
      request.response().end(); // it would never end
    } else {
      streams.open(request.response(), board.snapshot().encode());
    }
  }

  private void file(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    files
        .find(request.path())
        .ifPresentOrElse(file -> send(response, file), () -> end(response, 404, "no such file\n"));
  }

  private static void send(HttpServerResponse response, PageFile file) {
    response.putHeader(HttpHeaders.CONTENT_TYPE, file.type()).end(file.content());
  }

  private static void end(HttpServerResponse response, int status, String text) {
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(text);
  }
}
