// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.FunctionName;
import org.jspecify.annotations.Nullable;

/// Asks a worker to run a function.
///
/// @param call the sender's number for this call; the answer carries it
/// @param from who asks, and where the answer goes
/// @param remainingNanos how long the caller still waits
/// @param function what to run
/// @param receiver the object to run it on, or null if the arguments say it all
/// @param result where to leave the result, or null to answer with it
/// @param arguments the arguments without the receiver
public record Request(
    long call,
    Sender from,
    long remainingNanos,
    FunctionName function,
    @Nullable GlobalId receiver,
    @Nullable NewRef result,
    Payload arguments) {

  /// The names of a reference that `remote` makes.
  ///
  /// @param id the reference
  /// @param fork the caller's own fork of it
  public record NewRef(GlobalId id, GlobalId fork) {
    void write(Output out) {
      id.write(out);
      fork.write(out);
    }

    static NewRef read(Input in) {
      return new NewRef(GlobalId.read(in), GlobalId.read(in));
    }
  }

  private static final int HEADER = 256;

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(arguments.messageBytes(HEADER));
    Frame.begin(out, Frame.Kind.REQUEST, call);
    from.write(out);
    out.putLong(remainingNanos);
    out.putString(function.type());
    out.putString(function.method());
    out.putOptional(receiver, GlobalId::write);
    out.putOptional(result, NewRef::write);
    arguments.write(out);
    return new Frame(out.toBytes());
  }

  /// Decodes a message of kind [Frame.Kind#REQUEST].
  ///
  /// @throws dev.tensorbus.rpc.WireException if the bytes are not one
  public static Request from(Frame frame) {
    Input in = new Input(frame.bytes());
    Frame.open(in);
    Request request =
        new Request(
            in.getLong(),
            Sender.read(in),
            in.getLong(),
            new FunctionName(in.getString(), in.getString()),
            in.getOptional(GlobalId::read),
            in.getOptional(NewRef::read),
            Payload.read(in));
    in.requireEnd();
    return request;
  }
}
