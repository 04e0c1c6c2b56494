// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import com.google.protobuf.MessageLite;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A call's messages and status, in an HTTP/2 response. Event loop only.
public final class ResponseStream {
  private static final String STATUS = "grpc-status";
  private static final String MESSAGE = "grpc-message";

  private final HttpServerResponse response;

  /// An answer that has not begun.
  public ResponseStream(HttpServerResponse response) {
    this.response = response;
    response.putHeader("content-type", "application/grpc");
  }

  /// A message as [#write] takes it. Any thread may make it.
  public static Buffer frame(MessageLite message) {
    return Frames.of(message);
  }

  /// Runs when the caller is gone, or the answer at its end.
  public void onGone(Runnable handler) {
    Handler<@Nullable Void> gone = v -> handler.run();
    response.exceptionHandler(error -> handler.run());
    response.closeHandler(gone);
  }

  /// Begins, before there is a message.
  public void writeHead() {
    response.writeHead();
  }

  /// Sends a message; done when it has left this process.
  public Future<Void> write(Buffer frame) {
    return response.write(frame);
  }

  /// Ends well, with this last message if there is one.
  public void end(@Nullable Buffer last) {
    response.putTrailer(STATUS, GrpcStatus.OK.toString());
    if (last == null) {
      response.end();
    } else {
      response.end(last);
    }
  }

  /// Ends with a refusal.
  public void refuse(GrpcStatusException refusal) {
    MultiMap end = response.headWritten() ? response.trailers() : response.headers();
    end.set(STATUS, refusal.reason().status().toString());
    end.set(MESSAGE, percentEncoded(refusal.text()));
    end.set(GrpcStatusException.DETAILS, refusal.details());
    response.end();
  }

  /// Headers are printable ASCII.
  private static String percentEncoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b <= '~' && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append("%%%02X".formatted(b));
      }
    }
    return encoded.toString();
  }
}
