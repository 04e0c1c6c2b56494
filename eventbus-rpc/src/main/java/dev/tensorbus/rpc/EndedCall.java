// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// A call that has ended, as one of its two workers sees it: see [Rpc#onCallEnded].
///
/// @param side whether this worker made the call or served it
/// @param peer the name of the other worker
/// @param function the method that was asked for
/// @param outcome how the call ended
/// @param nanos how long it took: for its caller until the answer came, for its callee from the
///     request to the answer, with the time for which it waited there
/// @param repeats how often its request was sent again; known to the caller alone
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
    /// The callee had no room for it ([WorkerBusyException]).
    BUSY,
    /// Its time was up.
    TIMEOUT,
    /// The caller gave it up.
    CANCELLED,
    /// One of its workers left.
    LOST
  }
}
