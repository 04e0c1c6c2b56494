// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import dev.tensorbus.rpc.observe.status.ServingCall.State;
import org.jspecify.annotations.Nullable;

/// One call, seen from both of its workers.
///
/// @param to the worker that is to answer
/// @param id the worker that has made it, and its number
/// @param awaited what that one says of it, or null if it says nothing
/// @param serving what the other one says of it, or null if it says nothing
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

  /// Whether the method of this call has made the other one, or its thread waits for that.
  boolean hasMade(WaitingCall other) {
    if (!other.id.from().equals(to) || other.awaited == null || serving == null) {
      return false;
    }
    ThreadStatus waits = other.awaited.thread();
    ThreadStatus runs = serving.thread();
    return id.equals(other.awaited.within())
        || (waits != null && runs != null && waits.name().equals(runs.name()));
  }

  /// Whether this call cannot end before the other one has ended, or may have to wait for it.
  boolean waitsFor(WaitingCall other) {
    return hasMade(other) || (isWaitingForRoom() && other.to.equals(to) && other.isRunning());
  }
}
