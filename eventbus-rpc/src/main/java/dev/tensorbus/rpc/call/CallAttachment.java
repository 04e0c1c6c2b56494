// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import org.jspecify.annotations.Nullable;

/// Data that is sent with calls and their results, such as a trace context. The call itself only
/// knows that it has attachments.
///
/// One instance serves a worker. It creates an object for each call in which it takes part: an
/// [OnCaller] on the caller, an [OnCallee] on the callee. Both do nothing by default. docs/calls.md
/// shows how to add one.
public interface CallAttachment {
  /// Returns its id in messages, from 1 to 255, the same on all workers.
  int id();

  /// Takes part in a call that this thread makes, or returns null.
  @Nullable OnCaller call(FunctionName function, Target target);

  /// Takes part in a received call, or returns null. Runs on an event loop, so it must not block.
  ///
  /// @param in reads the bytes that [OnCaller#write] wrote; null if it wrote none
  /// @throws dev.tensorbus.rpc.WireException if the bytes are invalid; the call is rejected
  @Nullable OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in);

  /// Returns a binding of this thread's values for code that continues after a call on another
  /// thread, or null for none.
  default @Nullable Binding here() {
    return null;
  }

  /// The caller's side of an attachment, for one call.
  interface OnCaller {
    /// Writes the data for the callee. If it writes no bytes, nothing is sent.
    default void write(OutgoingValue arguments, Output out) {}

    /// The call could not be sent.
    default void unsent() {}

    /// Prepares the result before it is decoded. May block if the result contains references or its
    /// tensors were sent on a lane.
    ///
    /// @param in reads the bytes that [OnCallee#write] wrote; null if it wrote none
    default void read(IncomingValue result, @Nullable Input in) {}

    /// The call has ended, or could not be made. Must not block.
    ///
    /// @param error the local failure of the call; null if it was answered, even with a failure
    default void ended(Outcome outcome, @Nullable Throwable error) {}
  }

  /// The callee's side of an attachment, for one call. As a [Binding], it binds values while the
  /// arguments are decoded and the method runs.
  interface OnCallee extends Binding {
    @Override
    default void run(Runnable body) {
      body.run();
    }

    /// Returns whether [#read] may block.
    default boolean mayBlock() {
      return false;
    }

    /// The call starts, on the thread that runs it.
    default void begin() {}

    /// Prepares the arguments before they are decoded.
    default void read(IncomingValue arguments) {}

    /// Returns the arguments to pass to the method.
    default @Nullable Object[] arguments(@Nullable Object[] decoded) {
      return decoded;
    }

    /// Returns the result to send for the method's return value.
    default @Nullable Object result(@Nullable Object returned) {
      return returned;
    }

    /// Writes the data to send with the result.
    default void write(OutgoingValue result, Output out) {}

    /// The result could not be sent.
    default void unsent() {}

    /// The method has returned or thrown; the answer is not sent yet.
    ///
    /// @param error the exception, or null
    default void ended(@Nullable Throwable error) {}

    /// There is no result, for this reason.
    default void fail(Throwable error) {}

    /// There is no result, since the caller cancelled the call.
    default void giveUp() {}
  }
}
