// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// A call that has ended, as seen by its caller or its callee; see [Rpc#onCallEnded].
///
/// @param side whether this worker made the call or served it
/// @param peer the name of the other worker
/// @param function the method that was called
/// @param outcome how the call ended
/// @param nanos the duration in nanoseconds: on the caller, from the start of the call to its end;
///     on the callee, from the arrival of the request to the answer, including the time in the
///     queue
/// @param repeats the number of times the request was repeated; 0 on the callee
public record EndedCall(
    Side side, String peer, FunctionName function, Outcome outcome, long nanos, int repeats) {
  /// The two ends of a call.
  public enum Side {
    /// This worker made the call.
    CALLER,
    /// This worker served the call.
    CALLEE
  }

  /// How a call ended.
  public enum Outcome {
    /// The method returned.
    OK,
    /// The method threw, or it could not be run.
    ERROR,
    /// The callee had no capacity for the call ([WorkerBusyException]).
    BUSY,
    /// The call timed out.
    TIMEOUT,
    /// The caller cancelled the call.
    CANCELLED,
    /// The caller or the callee left the world.
    LOST
  }
}
