// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import dev.tensorbus.rpc.observe.status.ServingCall.State;
import org.jspecify.annotations.Nullable;

/// A call, as both of its workers see it.
///
/// @param to the callee
/// @param id the caller and the call's number
/// @param awaited what the caller reports, or null if it reports nothing
/// @param serving what the callee reports, or null if it reports nothing
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

  /// Returns whether this call's method has made the other call, or its thread waits for the other
  /// call.
  boolean hasMade(WaitingCall other) {
    if (!other.id.from().equals(to) || other.awaited == null || serving == null) {
      return false;
    }
    ThreadStatus waits = other.awaited.thread();
    ThreadStatus runs = serving.thread();
    return id.equals(other.awaited.within())
        || (waits != null && runs != null && waits.name().equals(runs.name()));
  }

  /// Returns whether this call cannot end before the other one has ended, or may have to wait for
  /// it.
  boolean waitsFor(WaitingCall other) {
    return hasMade(other) || (isWaitingForRoom() && other.to.equals(to) && other.isRunning());
  }
}
