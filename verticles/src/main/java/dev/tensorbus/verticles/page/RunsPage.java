// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.metrics.LocalHttp;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A page that shows the runs of a folder, without a world.
///
/// @param url the URL of the page
/// @param skipped a line for each file that is no run
public record RunsPage(String url, List<String> skipped) {
  /// Copies the list.
  public RunsPage {
    skipped = List.copyOf(skipped);
  }

  /// Opens the page. Blocks until it listens.
  ///
  /// @throws IllegalStateException if it cannot listen on the port
  public static RunsPage open(Vertx vertx, Path folder, String host, int port) {
    Runs runs = new Runs(folder);
    JsonArray skipped = runs.list().getJsonArray("skipped");
    Access access = Access.at(host);
    PageHandler handler = new PageHandler(vertx, "", access, Optional.of(runs), Optional.empty());
    try {
      HttpServer server =
          LocalHttp.server(vertx, access.needsToken(), handler).listen(port, host).await();
      return new RunsPage(
          access.url(host, server.actualPort()), skipped.stream().map(Object::toString).toList());
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "the page cannot listen on port %d of %s: %s; set %s to a free port"
              .formatted(port, host, e.getMessage(), Setting.PAGE.option()),
          e);
    }
  }
}
