// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.metrics;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/// Answers `/metrics` and `/health` for one worker.
record MetricsHandler(Rpc rpc, WorkerMeters meters) implements Handler<HttpServerRequest> {
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  @Override
  public void handle(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    switch (request.path()) {
      case "/metrics" ->
          rpc.vertx()
              .executeBlocking(meters::scrape)
              .onSuccess(text -> end(response, 200, PROMETHEUS, text))
              .onFailure(error -> end(response, 500, PLAIN, error + "\n"));
      case "/health" -> health(response);
      case null, default -> end(response, 404, PLAIN, "not found; try /metrics or /health\n");
    }
  }

  private void health(HttpServerResponse response) {
    WorkerHealth.problem(rpc)
        .ifPresentOrElse(
            problem -> end(response, 503, PLAIN, problem + "\n"),
            () -> end(response, 200, PLAIN, "ok\n"));
  }

  private static void end(HttpServerResponse response, int status, String type, String text) {
    response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, type).end(text);
  }
}
