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

/// Writes a call's messages and status to an HTTP/2 response. Must be used on the event loop,
/// except for [#frame].
public final class ResponseStream {
  private static final String STATUS = "grpc-status";
  private static final String MESSAGE = "grpc-message";

  private final HttpServerResponse response;

  /// Creates a response that has not started.
  public ResponseStream(HttpServerResponse response) {
    this.response = response;
    response.putHeader("content-type", "application/grpc");
  }

  /// Encodes a message for [#write]. Thread-safe.
  public static Buffer frame(MessageLite message) {
    return Frames.of(message);
  }

  /// Sets the handler that runs when the caller disconnects or the response ends.
  public void onGone(Runnable handler) {
    Handler<@Nullable Void> gone = v -> handler.run();
    response.exceptionHandler(error -> handler.run());
    response.closeHandler(gone);
  }

  /// Sends the headers.
  public void writeHead() {
    response.writeHead();
  }

  /// Sends a message. The future completes when it has been written to the socket.
  public Future<Void> write(Buffer frame) {
    return response.write(frame);
  }

  /// Ends the response with status OK, after an optional last message.
  public void end(@Nullable Buffer last) {
    response.putTrailer(STATUS, GrpcStatus.OK.toString());
    if (last == null) {
      response.end();
    } else {
      response.end(last);
    }
  }

  /// Ends the response with an error.
  public void refuse(GrpcStatusException refusal) {
    MultiMap end = response.headWritten() ? response.trailers() : response.headers();
    end.set(STATUS, refusal.reason().status().toString());
    end.set(MESSAGE, percentEncoded(refusal.text()));
    end.set(GrpcStatusException.DETAILS, refusal.details());
    response.end();
  }

  /// Percent-encodes a string, since headers must be printable ASCII.
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
