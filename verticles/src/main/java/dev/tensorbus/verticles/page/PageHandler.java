// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.page.PageFiles.PageFile;
import dev.tensorbus.verticles.profile.RequestedProfile;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/// Handles the requests of browsers: the page's files, and `/events` for the snapshots of the
/// world. `/metrics` and `/health` report on rank 0. A POST to `/profile` starts a profile.
///
/// @param access decides which requests are permitted
record PageHandler(
    Access access,
    PageFiles files,
    EventStreams streams,
    Board board,
    MetricsExtension metrics,
    RequestedProfile profile)
    implements Handler<HttpServerRequest> {
  /// The page loads nothing from other origins, and no other page may embed it.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String PROFILE = "/profile";

  @Override
  public void handle(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    response
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    boolean isRead =
        HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method());
    boolean isAsked = HttpMethod.POST.equals(request.method()) && PROFILE.equals(request.path());
    if (!isRead && !isAsked) {
      response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      end(response, 405, "only GET and HEAD are allowed here\n");
    } else if (!access.allows(request) || (isAsked && !Access.isOfThePage(request))) {
      end(response, 403, "use the URL that rank 0 printed when it started\n");
    } else if (isAsked) {
      boolean hasBegun = profile.begin();
      end(response, hasBegun ? 202 : 409, hasBegun ? "" : "a profile is being taken\n");
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
      case "/run.jsonl" -> send(request, board.lines());
      case "/metrics", "/health" -> metrics.answer(request);
      case PROFILE -> json(request, profile.toJson().toBuffer());
      case "/trace.json" -> trace(request);
      case null, default -> file(request);
    }
  }

  private void stream(HttpServerRequest request) {
    if (HttpMethod.HEAD.equals(request.method())) {
      request.response().end(); // an event stream would never end
    } else {
      streams.open(request.response(), board.snapshot().encode());
    }
  }

  private static void send(HttpServerRequest request, String lines) {
    request.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/jsonl").end(lines);
  }

  private void trace(HttpServerRequest request) {
    profile
        .trace()
        .ifPresentOrElse(
            trace -> json(request, trace),
            () -> end(request.response(), 404, "no profile has been taken\n"));
  }

  private static void json(HttpServerRequest request, Buffer text) {
    request.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json").end(text);
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
