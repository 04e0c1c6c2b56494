// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import dev.tensorbus.rpc.observe.status.ServingCall.State;
import org.jspecify.annotations.Nullable;

/// A call, as reported by its caller and its callee.
///
/// @param to the callee
/// @param id the caller and the number of the call
/// @param awaited the caller's report, or null if there is none
/// @param serving the callee's report, or null if there is none
record WaitingCall(
    String to, CallId id, @Nullable AwaitedCall awaited, @Nullable ServingCall serving) {
  boolean isWaitingForRoom() {
    return serving != null && serving.state() == State.WAITING;
  }

  boolean isRunning() {
    return serving != null && serving.state() == State.RUNNING;
  }

  long forMs() {
    return Math.max(awaited == null ? 0 : awaited.forMs(), serving == null ? 0 : serving.forMs());
  }

  String method() {
    return awaited != null ? awaited.method() : serving == null ? "" : serving.method();
  }

  /// Returns whether this call's method made the other call, or runs on the thread that waits for
  /// the other call.
  boolean hasMade(WaitingCall other) {
    if (!other.id.from().equals(to) || other.awaited == null || serving == null) {
      return false;
    }
    ThreadStatus waits = other.awaited.thread();
    ThreadStatus runs = serving.thread();
    return id.equals(other.awaited.within())
        || (waits != null && runs != null && waits.name().equals(runs.name()));
  }

  /// Returns whether this call cannot end, or may be unable to start, before the other call has
  /// ended.
  boolean waitsFor(WaitingCall other) {
    return hasMade(other) || (isWaitingForRoom() && other.to.equals(to) && other.isRunning());
  }
}
