// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.verticles.metrics.MetricsExtension;
import dev.tensorbus.verticles.page.PageFiles.PageFile;
import dev.tensorbus.verticles.profile.RequestedProfile;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Optional;

/// Handles the requests of browsers: the page's files, the runs that were kept, and what happens in
/// a world. A POST to `/profile` starts a profile.
///
/// @param access decides which requests are permitted
/// @param runs the runs that were kept; empty without a folder
/// @param world the world; empty for a page that only shows runs
record PageHandler(
    Vertx vertx, Access access, PageFiles files, Optional<Runs> runs, Optional<World> world)
    implements Handler<HttpServerRequest> {
  /// The page loads nothing from other origins, and no other page may embed it.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String PROFILE = "/profile";
  private static final String RUNS = "/runs";
  private static final String LINES = "application/jsonl";

  /// The world that a page shows: `/events` for snapshots, `/run.jsonl` for all points of its
  /// curves, `/metrics` and `/health` of rank 0, and the profile.
  record World(
      EventStreams streams, Board board, MetricsExtension metrics, RequestedProfile profile) {}

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
    boolean isAsked =
        HttpMethod.POST.equals(request.method())
            && PROFILE.equals(request.path())
            && world.isPresent();
    if (!isRead && !isAsked) {
      response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      end(response, 405, "only GET and HEAD are allowed here\n");
    } else if (!access.allows(request) || (isAsked && !Access.isOfThePage(request))) {
      end(response, 403, "use the URL that was printed at the start\n");
    } else if (isAsked) {
      boolean hasBegun = world.get().profile().begin();
      end(response, hasBegun ? 202 : 409, hasBegun ? "" : "a profile is being taken\n");
    } else if (access.isShownIn(request) && "/".equals(request.path())) {
      response.addCookie(access.cookie(request)).putHeader(HttpHeaders.LOCATION, request.path());
      end(response, 303, "");
    } else {
      answer(request);
    }
  }

  private void answer(HttpServerRequest request) {
    String path = request.path() == null ? "" : request.path();
    String id = request.getParam("id");
    if (path.equals(RUNS) && id != null) {
      run(request, id);
    } else if (path.equals(RUNS)) {
      list(request);
    } else if (world.isEmpty() || !answers(request, path, world.get())) {
      file(request, path);
    }
  }

  /// Answers a request that is about the world; returns false for others.
  private static boolean answers(HttpServerRequest request, String path, World shown) {
    switch (path) {
      case "/events" -> stream(request, shown);
      case "/run.jsonl" -> send(request, LINES, Buffer.buffer(shown.board().lines()));
      case "/metrics", "/health" -> shown.metrics().answer(request);
      case PROFILE -> json(request, shown.profile().toJson().toBuffer());
      case "/trace.json" -> trace(request, shown.profile());
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void stream(HttpServerRequest request, World shown) {
    if (HttpMethod.HEAD.equals(request.method())) {
      request.response().end(); // an event stream would never end
    } else {
      shown.streams().open(request.response(), shown.board().snapshot().encode());
    }
  }

  /// Answers with the runs that were kept, and whether there is a `live` one.
  private void list(HttpServerRequest request) {
    vertx
        .executeBlocking(() -> runs.map(Runs::list).orElseGet(PageHandler::noRuns), false)
        .onSuccess(list -> json(request, list.put("live", world.isPresent()).toBuffer()))
        .onFailure(error -> end(request.response(), 500, error.getMessage() + "\n"));
  }

  private static JsonObject noRuns() {
    return new JsonObject().put("runs", new JsonArray()).put("skipped", new JsonArray());
  }

  private void run(HttpServerRequest request, String id) {
    HttpServerResponse response = request.response();
    vertx
        .executeBlocking(() -> runs.flatMap(kept -> kept.find(id)).map(Path::toString), false)
        .onFailure(error -> end(response, 500, error.getMessage() + "\n"))
        .onSuccess(
            file -> {
              if (file.isPresent()) {
                response.putHeader(HttpHeaders.CONTENT_TYPE, LINES).sendFile(file.get());
              } else {
                end(response, 404, "no such run, or it is too large\n");
              }
            });
  }

  private static void trace(HttpServerRequest request, RequestedProfile profile) {
    profile
        .trace()
        .ifPresentOrElse(
            trace -> json(request, trace),
            () -> end(request.response(), 404, "no profile has been taken\n"));
  }

  private static void json(HttpServerRequest request, Buffer text) {
    send(request, "application/json", text);
  }

  private static void send(HttpServerRequest request, String type, Buffer content) {
    request.response().putHeader(HttpHeaders.CONTENT_TYPE, type).end(content);
  }

  private void file(HttpServerRequest request, String path) {
    Optional<PageFile> file = files.find(path);
    if (file.isPresent()) {
      send(request, file.get().type(), file.get().content());
    } else {
      end(request.response(), 404, "no such file\n");
    }
  }

  private static void end(HttpServerResponse response, int status, String text) {
    response
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(text);
  }
}
