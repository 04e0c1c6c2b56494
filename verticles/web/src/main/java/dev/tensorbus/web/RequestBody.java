// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.web;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;

/// Reads the body of a request as it is. Unlike a `BodyHandler`, it does not take the body for a
/// form, whatever its `Content-Type` says: `curl -d` calls all that it sends a form.
final class RequestBody {
  private RequestBody() {}

  /// Returns the body, which a `BodyHandler` may have read already. Fails with an [HttpException]
  /// of the status 413 if it has more than `limit` bytes.
  static Future<Buffer> read(RoutingContext context, long limit) {
    if (context.body().available()) {
      Buffer read = context.body().buffer();
      return read != null && read.length() > limit
          ? Future.failedFuture(tooLarge(limit))
          : Future.succeededFuture(read == null ? Buffer.buffer() : read);
    }
    Promise<Buffer> promise = Promise.promise();
    Buffer body = Buffer.buffer();
    context
        .request()
        .handler(
            part -> {
              if (body.length() + part.length() <= limit) {
                body.appendBuffer(part);
              } else {
                promise.tryFail(tooLarge(limit));
              }
            })
        .exceptionHandler(promise::tryFail)
        .endHandler(v -> promise.tryComplete(body));
    return promise.future();
  }

  private static HttpException tooLarge(long limit) {
    return new HttpException(
        413, "the body has more than %d bytes; send fewer examples".formatted(limit));
  }
}
