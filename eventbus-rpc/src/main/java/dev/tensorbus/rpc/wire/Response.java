// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import org.jspecify.annotations.Nullable;

/// Answers a [Request]: with a result, or with what went wrong.
///
/// @param call the request's number
/// @param result the result, or null if it failed
/// @param failure what went wrong, or null if it did not
public record Response(long call, @Nullable Payload result, @Nullable Failure failure) {

  /// What a function threw, as text: no code comes over the wire, neither do exceptions.
  ///
  /// @param type the class name of what was thrown
  /// @param message its message, or nothing
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

  private static final int HEADER = 64;

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(result == null ? HEADER : result.messageBytes(HEADER));
    Frame.begin(out, Frame.Kind.RESPONSE, call);
    out.putOptional(result, Payload::write);
    out.putOptional(failure, Failure::write);
    return new Frame(out.toBytes());
  }

  /// Decodes a message of kind [Frame.Kind#RESPONSE].
  ///
  /// @throws dev.tensorbus.rpc.WireException if the bytes are not one
  public static Response from(Frame frame) {
    Input in = new Input(frame.bytes());
    Frame.open(in);
    Response response =
        new Response(in.getLong(), in.getOptional(Payload::read), in.getOptional(Failure::read));
    in.requireEnd();
    return response;
  }
}
