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
final class PageHandler implements Handler<HttpServerRequest> {
  /// The page loads nothing from other origins, and no other page may embed it.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String PROFILE = "/profile";
  private static final String RUNS = "/runs";
  private static final String LINES = "application/jsonl";

  private final PageFiles files = new PageFiles();
  private final Vertx vertx;
  private final String prefix;
  private final Access access;
  private final Optional<Runs> runs;
  private final Optional<World> world;

  /// @param prefix the path of the page, without a slash at its end; empty for a separate server
  /// @param access decides which requests are permitted
  /// @param runs the runs that were kept; empty without a folder
  /// @param world the world; empty for a page that only shows runs
  PageHandler(
      Vertx vertx, String prefix, Access access, Optional<Runs> runs, Optional<World> world) {
    this.vertx = vertx;
    this.prefix = prefix;
    this.access = access;
    this.runs = runs;
    this.world = world;
  }

  /// The world that a page shows: `/events` for snapshots, `/run.jsonl` for all points of its
  /// curves, `/metrics` and `/health` of rank 0, and the profile.
  ///
  /// @param metrics the metrics of rank 0; empty if the application serves them
  record World(
      EventStreams streams,
      Board board,
      Optional<MetricsExtension> metrics,
      RequestedProfile profile) {}

  @Override
  public void handle(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    response
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    String path = request.path() == null ? "" : request.path();
    if (path.equals(prefix) && !prefix.isEmpty()) { // the addresses in the page are relative
      response.putHeader(HttpHeaders.LOCATION, path.substring(path.lastIndexOf('/') + 1) + "/");
      end(response, 303, "");
    } else if (path.startsWith(prefix + "/")) {
      handle(request, path.substring(prefix.length()));
    } else {
      end(response, 404, "the page is at " + prefix + "/\n");
    }
  }

  /// @param path the path within the page
  private void handle(HttpServerRequest request, String path) {
    HttpServerResponse response = request.response();
    boolean isRead =
        HttpMethod.GET.equals(request.method()) || HttpMethod.HEAD.equals(request.method());
    boolean isAsked =
        HttpMethod.POST.equals(request.method()) && PROFILE.equals(path) && world.isPresent();
    if (!isRead && !isAsked) {
      response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      end(response, 405, "only GET and HEAD are allowed here\n");
    } else if (!access.allows(request)) {
      end(response, 403, "use the URL that was printed at the start\n");
    } else if (isAsked && !Access.isOfThePage(request)) {
      end(response, 403, "only the page itself may take a profile\n");
    } else if (isAsked) {
      boolean hasBegun = world.get().profile().begin();
      end(response, hasBegun ? 202 : 409, hasBegun ? "" : "a profile is being taken\n");
    } else if (access.isShownIn(request) && "/".equals(path)) {
      response.addCookie(access.cookie(request)).putHeader(HttpHeaders.LOCATION, request.path());
      end(response, 303, "");
    } else {
      answer(request, path);
    }
  }

  private void answer(HttpServerRequest request, String path) {
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
      case "/metrics", "/health" -> {
        shown.metrics().ifPresent(own -> own.answer(request));
        return shown.metrics().isPresent();
      }
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
