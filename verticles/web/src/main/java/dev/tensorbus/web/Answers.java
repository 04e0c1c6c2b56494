// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import dev.tensorbus.optim.server.ModelServerException;
import dev.tensorbus.optim.server.ModelServerException.Reason;
import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.handler.HttpException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Callable;

/// The answers to requests: JSON, and errors as one line.
final class Answers {
  private static final Logger LOG = System.getLogger(Answers.class.getName());

  private Answers() {}

  /// Computes on a virtual thread. The future completes on the current event loop.
  static <T> Future<T> compute(Vertx vertx, String name, Callable<T> work) {
    Context loop = vertx.getOrCreateContext();
    Promise<T> promise = Promise.promise();
    Threads.system()
        .call(name, work)
        .onComplete((result, error) -> loop.runOnContext(v -> promise.complete(result, error)));
    return promise.future();
  }

  /// Returns the error with its status. A network refuses examples, such as indices beyond its
  /// vocabulary, by exceptions of the types below. Other errors are logged, and have the status
  /// 500.
  static HttpException refusal(Throwable error) {
    return switch (error) {
      case HttpException e -> e;
      case ModelServerException e when e.reason() == Reason.CLOSING -> with(503, e);
      case ModelServerException e -> with(400, e);
      case IllegalArgumentException e -> with(400, e);
      case IndexOutOfBoundsException e -> with(400, e);
      default -> {
        LOG.log(Level.ERROR, "a request failed", error);
        yield new HttpException(500, "the request failed; see the log of the server", error);
      }
    };
  }

  private static HttpException with(int status, RuntimeException error) {
    return new HttpException(status, String.valueOf(error.getMessage()), error);
  }

  /// Answers with an error.
  static void refuse(HttpServerResponse response, HttpException refusal) {
    int status = refusal.getStatusCode();
    if (status == 503) {
      response.putHeader(HttpHeaders.RETRY_AFTER, "1");
    }
    String line = refusal.getPayload().lines().findFirst().orElse("");
    end(response, status, new JsonObject().put("error", line).toBuffer());
  }

  /// Answers with JSON.
  static void end(HttpServerResponse response, int status, Buffer json) {
    if (!response.ended() && !response.closed()) {
      response
          .setStatusCode(status)
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .end(json);
    }
  }
}
