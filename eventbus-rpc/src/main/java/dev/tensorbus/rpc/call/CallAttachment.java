// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import org.jspecify.annotations.Nullable;

/// Data sent with calls and their results, such as a trace context. The code that makes and runs
/// calls does not know what the attachments contain.
///
/// Each worker has one instance of each attachment. The instance creates an [OnCaller] for each
/// call that the worker makes, and an [OnCallee] for each call that it receives, unless it takes no
/// part in the call. Their methods do nothing by default. docs/calls.md shows how to add an
/// attachment.
public interface CallAttachment {
  /// Returns the attachment's id in messages, from 1 to 255 and the same on all workers.
  int id();

  /// Returns the caller's side for a call that this thread makes, or null to take no part in it.
  @Nullable OnCaller call(FunctionName function, Target target);

  /// Returns the callee's side for a received call, or null to take no part in it. Runs on an event
  /// loop, so it must not block.
  ///
  /// @param in reads the bytes that [OnCaller#write] wrote; null if it wrote none
  /// @throws dev.tensorbus.rpc.WireException if the bytes are invalid; the call is then rejected
  @Nullable OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in);

  /// Returns a binding that restores this thread's values on another thread, for code that runs
  /// after a call, or null if there are no values.
  default @Nullable Binding here() {
    return null;
  }

  /// The caller's side of an attachment, for one call.
  interface OnCaller {
    /// Writes the data for the callee. If no bytes are written, the attachment is not sent.
    default void write(OutgoingValue arguments, Output out) {}

    /// Handles a call that could not be sent.
    default void unsent() {}

    /// Prepares the result before it is decoded. May block if the result contains references or its
    /// tensors were sent on a lane.
    ///
    /// @param in reads the bytes that [OnCallee#write] wrote; null if it wrote none
    default void read(IncomingValue result, @Nullable Input in) {}

    /// Handles the end of the call, or a failure to make it. Must not block.
    ///
    /// @param error the local failure of the call, or null if the callee answered, even with an
    ///     error
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

    /// Runs when the call starts, on the thread that runs the method.
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

    /// Handles a result that could not be sent.
    default void unsent() {}

    /// Runs when the method has returned or thrown, before the answer is sent.
    ///
    /// @param error the exception, or null
    default void ended(@Nullable Throwable error) {}

    /// Handles a call that failed with this error and so has no result.
    default void fail(Throwable error) {}

    /// Handles a call that was cancelled or has expired and so has no result.
    default void giveUp() {}
  }
}
