// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// A call that has ended, as one of its two workers sees it; see [Rpc#onCallEnded].
///
/// @param side whether this worker made the call or served it
/// @param peer the name of the other worker
/// @param function the method that was called
/// @param outcome how the call ended
/// @param nanos the duration: for the caller until the answer arrived, for the callee from the
///     request to the answer, including the time the call was queued
/// @param repeats how often the request was sent again; only the caller knows
public record EndedCall(
    Side side, String peer, FunctionName function, Outcome outcome, long nanos, int repeats) {
  /// The two ends of a call.
  public enum Side {
    /// This worker made the call.
    CALLER,
    /// This worker ran the method.
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
    /// One of its workers left the world.
    LOST
  }
}
