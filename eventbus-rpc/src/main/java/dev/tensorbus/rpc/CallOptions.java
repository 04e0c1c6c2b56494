// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.thread.time.TimeLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How one call is made. Immutable; each `with` returns a changed copy.
///
/// @param timeout how long the call may take, the search for its worker included, or null for the
///     worker's default
/// @param retryAfter after how long without a word it is sent again, doubled each time up to 2 s,
///     until it is answered or the other worker has acknowledged it; or null for never; it still
///     runs at most once, since the other worker answers a repeat from memory
/// @param failsWhenBusy whether a worker that admits no more calls is an error at once; otherwise
///     the call waits there, within its time, in order of arrival; it is an error only if 65,536
///     wait already, or those that wait take an eighth of that worker's heap
/// @param continuation which thread goes on with the result, or null for where the call is made:
///     the event loop that calls, or else a virtual thread
public record CallOptions(
    @Nullable Duration timeout,
    @Nullable Duration retryAfter,
    boolean failsWhenBusy,
    @Nullable Execution continuation) {
  /// The worker's time limit, sent once, waiting for room.
  public static final CallOptions DEFAULT = new CallOptions(null, null, false, null);

  /// @throws IllegalArgumentException if a duration is not positive
  public CallOptions {
    timeout = timeout == null ? null : TimeLimit.of("timeout", timeout);
    retryAfter = retryAfter == null ? null : TimeLimit.of("retry interval", retryAfter);
  }

  /// The defaults with a time limit of its own, nanoseconds included.
  public static CallOptions timeout(Duration timeout) {
    return DEFAULT.withTimeout(timeout);
  }

  /// The same with another time limit.
  public CallOptions withTimeout(Duration limit) {
    return new CallOptions(limit, retryAfter, failsWhenBusy, continuation);
  }

  /// The same for as long as the worker lives that the call goes to.
  public CallOptions withoutTimeout() {
    return withTimeout(TimeLimit.NONE);
  }

  /// The same, sent again after this long without an answer, then after twice as long, and so on.
  public CallOptions withRetry(Duration after) {
    return new CallOptions(timeout, after, failsWhenBusy, continuation);
  }

  /// The same, failing at once where it would have to wait for room.
  public CallOptions failingWhenBusy() {
    return new CallOptions(timeout, retryAfter, true, continuation);
  }

  /// The same, saying which thread goes on with the result: what is composed on the future runs
  /// there after a failure as after a success. With [Execution#EVENT_LOOP] no thread is woken for
  /// it. The answer's counterpart of [Remote#execution].
  public CallOptions continuingOn(Execution execution) {
    if (execution == Execution.PLATFORM_THREAD) {
      throw new IllegalArgumentException(
          "continuing on PLATFORM_THREAD: such a thread is for remote methods; give another"
              + " Execution, or call rpcSync on a thread of your own");
    }
    return new CallOptions(timeout, retryAfter, failsWhenBusy, execution);
  }

  /// These options, and where they leave a default, those of `base`. So
  /// `rpc.with(timeout).with(retry)` has both.
  CallOptions over(CallOptions base) {
    return new CallOptions(
        timeout == null ? base.timeout : timeout,
        retryAfter == null ? base.retryAfter : retryAfter,
        failsWhenBusy || base.failsWhenBusy,
        continuation == null ? base.continuation : continuation);
  }
}
