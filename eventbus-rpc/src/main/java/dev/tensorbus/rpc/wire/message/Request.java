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

/// Asks a worker to run a function.
///
/// @param head what is asked, and by whom
/// @param arguments the arguments
public record Request(Head head, Payload arguments) {
  private static final int HEADER = 256;

  /// The part of a request that can be read without decoding its arguments.
  ///
  /// @param call the sender's number for this call among those to this worker, from 1; the answer
  ///     carries it
  /// @param firstIncomplete the least number of those calls that the sender still waits for; it
  ///     will not ask for lower ones again (RIFL, Lee et al. 2015)
  /// @param from who asks, and where the answer goes
  /// @param remainingNanos how long the caller still waits
  /// @param mayRepeat whether the caller may send this again, so that the answer is to be kept
  /// @param failsWhenBusy whether the call is not to wait for room
  /// @param function what to run
  /// @param attached what else travels with the call
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
    /// @throws WireException if a sender would still wait for none of its calls, this one included
    public Head {
      if (firstIncomplete < 1 || firstIncomplete > call) {
        throw new WireException(
            "request " + call + " whose sender waits from number " + firstIncomplete + " on", null);
      }
    }

    /// Decodes the beginning of a message of kind [Frame.Kind#REQUEST].
    ///
    /// @throws WireException if the bytes are not one
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

  /// Encodes this message for the time that is left now.
  public Frame toFrame(long remainingNanos) {
    Output out = new Output(HEADER);
    head.write(out, remainingNanos);
    arguments.write(out, 0);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#REQUEST].
  ///
  /// @throws WireException if the bytes are not one
  public static Request from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    Request request = new Request(Head.read(in), Payload.read(in));
    in.requireEnd();
    return request;
  }
}
