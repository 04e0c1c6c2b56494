// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.thread.time.TimeLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The options of a call. Immutable; each `with` method returns a changed copy.
///
/// @param timeout how long the call may take, including the time to find its worker, or null for
///     the worker's default
/// @param retryAfter the interval after which an unacknowledged request is sent again, doubled each
///     time up to 2 s, or null for never; the method still runs at most once, since the callee
///     answers repeats from memory
/// @param failsWhenBusy whether the call fails at once if the callee runs its maximum of calls;
///     otherwise it is queued there, in order of arrival, until its timeout, and fails only if
///     65,536 calls are queued or the queued calls take an eighth of the callee's heap
/// @param continuation which thread continues with the result, or null for the default: the event
///     loop that made the call, or else a virtual thread
public record CallOptions(
    @Nullable Duration timeout,
    @Nullable Duration retryAfter,
    boolean failsWhenBusy,
    @Nullable Execution continuation) {
  /// The worker's default timeout, no retries, queued at a busy callee.
  public static final CallOptions DEFAULT = new CallOptions(null, null, false, null);

  /// @throws IllegalArgumentException if a duration is not positive
  public CallOptions {
    timeout = timeout == null ? null : TimeLimit.of("timeout", timeout);
    retryAfter = retryAfter == null ? null : TimeLimit.of("retry interval", retryAfter);
  }

  /// Returns the default options with a timeout, which is kept to the nanosecond.
  public static CallOptions timeout(Duration timeout) {
    return DEFAULT.withTimeout(timeout);
  }

  /// Returns a copy with another timeout.
  public CallOptions withTimeout(Duration limit) {
    return new CallOptions(limit, retryAfter, failsWhenBusy, continuation);
  }

  /// Returns a copy without a timeout: the call lasts as long as its callee lives.
  public CallOptions withoutTimeout() {
    return withTimeout(TimeLimit.NONE);
  }

  /// Returns a copy that sends the request again after this interval, then after twice the
  /// interval, and so on.
  public CallOptions withRetry(Duration after) {
    return new CallOptions(timeout, after, failsWhenBusy, continuation);
  }

  /// Returns a copy that fails at once instead of being queued at a busy callee.
  public CallOptions failingWhenBusy() {
    return new CallOptions(timeout, retryAfter, true, continuation);
  }

  /// Returns a copy that names the thread on which the future's listeners run, after a failure as
  /// after a success. With [Execution#EVENT_LOOP] no other thread is woken for them. The
  /// counterpart of [Remote#execution] for the answer.
  public CallOptions continuingOn(Execution execution) {
    if (execution == Execution.PLATFORM_THREAD) {
      throw new IllegalArgumentException(
          "continuing on PLATFORM_THREAD: such a thread is for remote methods; give another"
              + " Execution, or call rpcSync on a thread of your own");
    }
    return new CallOptions(timeout, retryAfter, failsWhenBusy, execution);
  }

  /// Returns these options, with those of `base` where these have a default. So
  /// `rpc.with(timeout).with(retry)` has both.
  CallOptions over(CallOptions base) {
    return new CallOptions(
        timeout == null ? base.timeout : timeout,
        retryAfter == null ? base.retryAfter : retryAfter,
        failsWhenBusy || base.failsWhenBusy,
        continuation == null ? base.continuation : continuation);
  }
}
