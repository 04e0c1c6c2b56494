// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire.message;

import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Attached;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;

/// A request to run a function.
///
/// @param head the call and its caller
/// @param arguments the arguments
public record Request(Head head, Payload arguments) {
  private static final int HEADER = 256;

  /// The fields of a request that can be read without decoding its arguments.
  ///
  /// @param call the number of this call among the sender's calls to this worker, from 1; the
  ///     answer carries it
  /// @param firstIncomplete the number of the first call that the sender still waits for; the
  ///     answers to earlier calls will not be requested again (RIFL, Lee et al. 2015)
  /// @param from the caller, to which the answer is sent
  /// @param remainingNanos how long the caller still waits
  /// @param mayRepeat whether the caller may send this request again, so that the answer must be
  ///     kept
  /// @param failsWhenBusy whether the call fails, rather than being queued, if the callee is busy
  /// @param function the function to run
  /// @param attached the attachments of the call
  public record Head(
      long call,
      long firstIncomplete,
      Sender from,
      long remainingNanos,
      boolean mayRepeat,
      boolean failsWhenBusy,
      FunctionName function,
      Attached attached)
      implements Message {
    /// @throws WireException if `firstIncomplete` is not between 1 and `call`
    public Head {
      if (firstIncomplete < 1 || firstIncomplete > call) {
        throw new WireException(
            "request "
                + call
                + " has firstIncomplete "
                + firstIncomplete
                + "; expected 1 to "
                + call,
            null);
      }
    }

    /// Decodes the beginning of a message of kind [Frame.Kind#REQUEST].
    ///
    /// @throws WireException if the bytes are not such a message
    public static Head from(Frame frame) {
      Input in = new Input(frame);
      Frame.open(in);
      return read(in);
    }

    private static Head read(Input in) {
      return new Head(
          in.getLong(),
          in.getLong(),
          Sender.read(in),
          in.getLong(),
          in.getByte() != 0,
          in.getByte() != 0,
          new FunctionName(in.getString(), in.getString()),
          Attached.read(in));
    }

    private void write(Output out, long nanos) {
      Frame.begin(out, Frame.Kind.REQUEST, call);
      out.putLong(firstIncomplete);
      from.write(out);
      out.putLong(nanos);
      out.putByte(mayRepeat ? 1 : 0);
      out.putByte(failsWhenBusy ? 1 : 0);
      out.putString(function.type());
      out.putString(function.method());
      attached.write(out);
    }
  }

  /// Encodes this message.
  public Frame toFrame() {
    return toFrame(head.remainingNanos());
  }

  /// Encodes this message with another remaining time.
  public Frame toFrame(long remainingNanos) {
    Output out = new Output(HEADER);
    head.write(out, remainingNanos);
    arguments.write(out, 0);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#REQUEST].
  ///
  /// @throws WireException if the bytes are not such a message
  public static Request from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    Request request = new Request(Head.read(in), Payload.read(in));
    in.requireEnd();
    return request;
  }
}
