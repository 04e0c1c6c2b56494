// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.thread.time.TimeLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The options of a call. Immutable; each `with` method returns a changed copy.
///
/// @param timeout the maximum duration of the call, including the lookup of the callee, or null for
///     the worker's default
/// @param retryAfter the interval after which an unacknowledged request is repeated, doubled each
///     time up to 2 s, or null to never repeat it; the method still runs at most once, since the
///     callee recognizes repeated requests
/// @param failsWhenBusy whether the call fails at once if the callee already runs its maximum
///     number of calls; if false, the call is queued there in order of arrival until its timeout,
///     and fails only if 65,536 calls are queued already or the queued calls would occupy more than
///     an eighth of the callee's heap
/// @param continuation the thread on which the listeners of the call's future run, or null for the
///     default: the event loop that made the call, or a virtual thread if another thread made it
public record CallOptions(
    @Nullable Duration timeout,
    @Nullable Duration retryAfter,
    boolean failsWhenBusy,
    @Nullable Execution continuation) {
  /// The default options: the worker's default timeout, no retries, and queueing at a busy callee.
  public static final CallOptions DEFAULT = new CallOptions(null, null, false, null);

  /// @throws IllegalArgumentException if a duration is not positive
  public CallOptions {
    timeout = timeout == null ? null : TimeLimit.of("timeout", timeout);
    retryAfter = retryAfter == null ? null : TimeLimit.of("retry interval", retryAfter);
  }

  /// Returns the default options with this timeout. It is measured with nanosecond precision.
  public static CallOptions timeout(Duration timeout) {
    return DEFAULT.withTimeout(timeout);
  }

  /// Returns a copy with another timeout.
  public CallOptions withTimeout(Duration limit) {
    return new CallOptions(limit, retryAfter, failsWhenBusy, continuation);
  }

  /// Returns a copy without a timeout: the call waits until it is answered or the callee leaves. A
  /// call made within a remote call still ends at the deadline of that call.
  public CallOptions withoutTimeout() {
    return withTimeout(TimeLimit.NONE);
  }

  /// Returns a copy with which an unacknowledged request is repeated after this interval, then
  /// after twice the interval, and so on, up to 2 s.
  public CallOptions withRetry(Duration after) {
    return new CallOptions(timeout, after, failsWhenBusy, continuation);
  }

  /// Returns a copy with which a call to a busy callee fails at once instead of being queued.
  public CallOptions failingWhenBusy() {
    return new CallOptions(timeout, retryAfter, true, continuation);
  }

  /// Returns a copy with this execution for the listeners of the call's future, whether the call
  /// succeeds or fails. With [Execution#EVENT_LOOP], no other thread is woken to run them. This is
  /// the caller's counterpart of [Remote#execution].
  ///
  /// @throws IllegalArgumentException if `execution` is [Execution#PLATFORM_THREAD]
  public CallOptions continuingOn(Execution execution) {
    if (execution == Execution.PLATFORM_THREAD) {
      throw new IllegalArgumentException(
          "listeners cannot continue on PLATFORM_THREAD, which is for remote methods; use another"
              + " Execution, or call rpcSync on your own thread");
    }
    return new CallOptions(timeout, retryAfter, failsWhenBusy, execution);
  }

  /// Returns these options, with the values of `base` in place of defaults. So
  /// `rpc.with(timeout).with(retry)` has both.
  CallOptions over(CallOptions base) {
    return new CallOptions(
        timeout == null ? base.timeout : timeout,
        retryAfter == null ? base.retryAfter : retryAfter,
        failsWhenBusy || base.failsWhenBusy,
        continuation == null ? base.continuation : continuation);
  }
}
