// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.rpc.FunctionName;
import org.jspecify.annotations.Nullable;

/// Asks a worker to run a function.
///
/// @param call the sender's number for this call; the answer carries it
/// @param from who asks, and where the answer goes
/// @param remainingNanos how long the caller still waits
/// @param mayRepeat whether the caller may send this again, so that the answer is to be kept
/// @param bringsReferences whether references are among the arguments: to adopt them may take a
///     wait
/// @param function what to run
/// @param receiver the object to run it on, or null if the arguments say it all
/// @param result the reference to leave the result in, and the caller's fork of it; or null to
///     answer with it
/// @param arguments the arguments without the receiver
public record Request(
    long call,
    Sender from,
    long remainingNanos,
    boolean mayRepeat,
    boolean bringsReferences,
    FunctionName function,
    @Nullable GlobalId receiver,
    @Nullable ForkId result,
    Payload arguments) {

  private static final int HEADER = 256;

  /// The same for the time that is left now.
  public Request withRemaining(long nanos) {
    return new Request(
        call, from, nanos, mayRepeat, bringsReferences, function, receiver, result, arguments);
  }

  /// Encodes this message.
  public Frame toFrame() {
    Output out = new Output(HEADER);
    Frame.begin(out, Frame.Kind.REQUEST, call);
    from.write(out);
    out.putLong(remainingNanos);
    out.putByte(mayRepeat ? 1 : 0);
    out.putByte(bringsReferences ? 1 : 0);
    out.putString(function.type());
    out.putString(function.method());
    out.putOptional(receiver, GlobalId::write);
    out.putOptional(result, ForkId::write);
    arguments.write(out, 0);
    return out.toFrame();
  }

  /// Decodes a message of kind [Frame.Kind#REQUEST].
  ///
  /// @throws dev.tensorbus.rpc.WireException if the bytes are not one
  public static Request from(Frame frame) {
    Input in = new Input(frame);
    Frame.open(in);
    Request request =
        new Request(
            in.getLong(),
            Sender.read(in),
            in.getLong(),
            in.getByte() != 0,
            in.getByte() != 0,
            new FunctionName(in.getString(), in.getString()),
            in.getOptional(GlobalId::read),
            in.getOptional(ForkId::read),
            Payload.read(in));
    in.requireEnd();
    return request;
  }
}
