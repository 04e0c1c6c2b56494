// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerBusyException;
import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.message.Response;
import dev.tensorbus.rpc.wire.message.Response.Outcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An answer that is not decoded yet.
///
/// @param pendingCall the call that the answer belongs to
record RawAnswer<R>(PendingCall<R> pendingCall, Frame frame) {
  /// Returns whether an event loop may decode the answer.
  boolean isShort() {
    return frame.isSmall() && !pendingCall.answered().decodingMayBlock();
  }

  /// Decodes the result.
  ///
  /// @throws RpcException if the call failed
  @SuppressWarnings({"unchecked", "NullAway"}) // the call determines R; null if it is void
  R decode(PayloadCodec codec) {
    Response response = decoded(frame);
    if (response.outcome() != Outcome.RESULT) {
      throw failure(response);
    }
    Payload result = response.result();
    return result == null ? (R) null : (R) value(codec, response.attached(), result);
  }

  /// Returns the value of a result. Reports a timeout if the result is decoded so late that the
  /// callee has taken back its references (G11).
  private @Nullable Object value(PayloadCodec codec, Attached attached, Payload result) {
    Payload whole = complete(codec, result);
    try {
      return codec.decodeAnswer(
          whole, pendingCall.attachments(), attached, pendingCall.to(), pendingCall.remaining());
    } catch (WireException e) {
      throw pendingCall.remaining() > 0 ? e : pendingCall.timedOut();
    }
  }

  private Payload complete(PayloadCodec codec, Payload result) {
    try {
      return codec.complete(result, pendingCall.to(), pendingCall.remaining());
    } catch (RpcTimeoutException e) {
      throw pendingCall.remaining() > 0 ? e : pendingCall.timedOut();
    }
  }

  private static Response decoded(Frame frame) {
    try {
      return Response.from(frame);
    } catch (WireException e) {
      throw new WireException(e.getMessage() + "; the method has run", e, true);
    }
  }

  private RpcException failure(Response response) {
    String worker = pendingCall.to().info().name();
    String function = pendingCall.function().toString();
    Response.Failure failure = Objects.requireNonNull(response.failure());
    return switch (response.outcome()) {
      case BUSY -> new WorkerBusyException(worker, function, failure.message());
      default ->
          new RemoteException(
              worker,
              function,
              failure.type(),
              failure.message(),
              failure.stack(),
              response.outcome() == Outcome.THREW);
    };
  }
}
