// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.wire.Input;
import dev.tensorbus.rpc.wire.Output;
import dev.tensorbus.rpc.wire.Sender;
import org.jspecify.annotations.Nullable;

/// Something that travels with calls and their results, such as the place of a call in a trace.
/// What a call does without it is unaffected: the call itself knows only that it has attachments.
///
/// One instance serves a worker, and has an object for each call in which it takes part: an
/// [OnCaller] where the call is made, an [OnCallee] where it runs. Both do nothing by default.
/// docs/calls.md shows how to add one.
public interface CallAttachment {
  /// Its id in messages, from 1 to 255, the same on all workers.
  int id();

  /// Takes part in a call that this thread makes, or returns null.
  @Nullable OnCaller call(FunctionName function, Target target);

  /// Takes part in a call that has come, or returns null. On an event loop, so it must not block.
  ///
  /// @param in what [OnCaller#write] wrote, or null if it wrote nothing
  /// @throws dev.tensorbus.rpc.WireException if that cannot be read; the call is refused
  @Nullable OnCallee arrive(FunctionName function, Sender caller, @Nullable Input in);

  /// Returns what is bound to this thread, for code that continues after a call on another thread;
  /// or null for nothing.
  default @Nullable Binding here() {
    return null;
  }

  /// The part of an attachment that stays with the caller of one call.
  interface OnCaller {
    /// Writes what the callee gets. Without bytes, it gets none.
    default void write(OutgoingValue arguments, Output out) {}

    /// The call was not sent after all.
    default void unsent() {}

    /// Adds to the result before it is decoded. May block, if the result holds references or its
    /// tensors came beside it.
    ///
    /// @param in what [OnCallee#write] wrote, or null if it wrote nothing
    default void read(IncomingValue result, @Nullable Input in) {}

    /// The call has ended, or could not be made. Must not block.
    ///
    /// @param error what the call failed with here; null if it was answered, be it with a failure
    default void ended(Outcome outcome, @Nullable Throwable error) {}
  }

  /// The part of an attachment that is with the callee of one call. As a [Binding], it binds values
  /// while the arguments are read and the method runs.
  interface OnCallee extends Binding {
    @Override
    default void run(Runnable body) {
      body.run();
    }

    /// Whether [#read] may have to wait.
    default boolean mayBlock() {
      return false;
    }

    /// The call begins, on the thread that runs it.
    default void begin() {}

    /// Adds to the arguments before they are decoded.
    default void read(IncomingValue arguments) {}

    /// Returns what the method is called with.
    default @Nullable Object[] arguments(@Nullable Object[] decoded) {
      return decoded;
    }

    /// Returns what the caller gets for what the method returned.
    default @Nullable Object result(@Nullable Object returned) {
      return returned;
    }

    /// Writes what the caller gets with the result.
    default void write(OutgoingValue result, Output out) {}

    /// The result was not sent after all.
    default void unsent() {}

    /// The method has returned or thrown; the answer has not left.
    ///
    /// @param error what it threw, or null
    default void ended(@Nullable Throwable error) {}

    /// There is no result for this reason.
    default void fail(Throwable error) {}

    /// There is no result, since the caller gave the call up.
    default void giveUp() {}
  }
}
