// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Payload;
import org.jspecify.annotations.Nullable;

/// The answer to a [Request]: a result or a failure.
///
/// @param call the number of the request
/// @param life the incarnation of the worker that answers
/// @param outcome how the call ended
/// @param decodingMayBlock whether decoding the result may block: it contains references, or its
///     tensors are sent on a lane
/// @param attached the attachments of the result
/// @param result the result, or null if there is none or it stays on the callee
/// @param failure the failure, or null
public record Response(
    long call,
    long life,
    Outcome outcome,
    boolean decodingMayBlock,
    Attached attached,
    @Nullable Payload result,
    @Nullable Failure failure) {

  /// How a call ended.
  public enum Outcome {
    /// The method returned.
    RESULT((byte) 0),
    /// The method threw an exception.
    THREW((byte) 1),
    /// The method was not run.
    REFUSED((byte) 2),
    /// The call timed out, or was cancelled.
    EXPIRED((byte) 3),
    /// The worker had no capacity for the call, which was not run.
    BUSY((byte) 4),
    /// The call has not ended: it is queued or running, and need not be sent again.
    PENDING((byte) 5);

    private final byte code;

    Outcome(byte code) {
      this.code = code;
    }

    private static Outcome read(Input in) {
      int code = in.getByte();
      for (Outcome outcome : values()) {
        if (outcome.code == code) {
          return outcome;
        }
      }
      throw new WireException("answer with unknown outcome " + code, null);
    }
  }

  /// An exception as strings, since exception objects are never sent.
  ///
  /// @param type the class name of the exception
  /// @param message its message, or an empty string
  /// @param stack its stack trace
  public record Failure(String type, String message, String stack) {
    void write(Output out) {
      out.putString(type);
      out.putString(message);
      out.putString(stack);
    }

    static Failure read(Input in) {
      return new Failure(in.getString(), in.getString(), in.getString());
    }
  }

  /// The fields of an answer that can be read without decoding the rest.
  ///
  /// @param call the number of the request
  /// @param life the incarnation of the worker that answers
  /// @param outcome how the call ended
  /// @param decodingMayBlock whether decoding the result may block
  public record Head(long call, long life, Outcome outcome, boolean decodingMayBlock) {
    /// Decodes the beginning of a message of kind [Frame.Kind#RESPONSE].
    public static Head from(Frame frame) {
      Input in = new Input(frame);
      Frame.open(in);
      return read(in);
    }

    private static Head read(Input in) {
      return new Head(in.getLong(), in.getLong(), Outcome.read(in), in.getByte() != 0);
    }
  }

  private static final int HEADER = 64;

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(HEADER);
    Frame.begin(out, Frame.Kind.RESPONSE, call);
    out.putLong(life);
    out.putByte(outcome.code);
    out.putByte(decodingMayBlock ? 1 : 0);
    attached.write(out);
    int withoutFailure = 1;
    out.putOptional(result, (payload, to) -> payload.write(to, withoutFailure));
    out.putOptional(failure, Failure::write);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#RESPONSE].
  ///
  /// @throws WireException if the bytes are not such a message
  public static Response from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    Head head = Head.read(in);
    Response response =
        new Response(
            head.call(),
            head.life(),
            head.outcome(),
            head.decodingMayBlock(),
            Attached.read(in),
            in.getOptional(Payload::read),
            in.getOptional(Failure::read));
    in.requireEnd();
    return response;
  }
}
