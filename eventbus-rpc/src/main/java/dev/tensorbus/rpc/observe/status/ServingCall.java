// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A call that is queued or running on its callee.
///
/// @param from the caller
/// @param method the simple class name and the method name, such as `Server.update`
/// @param number the number of the call among the caller's calls to this worker
/// @param forMs milliseconds since the call arrived
/// @param state whether the call is running or queued
/// @param thread the thread that runs the call, or null if none does: the call is queued, or its
///     method has returned a future that is not complete
public record ServingCall(
    String from,
    String method,
    long number,
    long forMs,
    State state,
    @Nullable ThreadStatus thread) {
  /// Whether a call is running or queued.
  public enum State {
    /// The call is running.
    RUNNING,
    /// The call is queued until the worker runs fewer calls.
    WAITING
  }

  CallId id() {
    return new CallId(from, number);
  }

  JsonObject toJson() {
    JsonObject json =
        new JsonObject().put("from", from).put("method", method).put("number", number);
    return Fields.putThread(json.put("forMs", forMs).put("state", state.name()), thread);
  }

  static ServingCall from(Fields fields) {
    return new ServingCall(
        fields.text("from"),
        fields.text("method"),
        fields.whole("number"),
        fields.whole("forMs"),
        fields.text("state").equals(State.WAITING.name()) ? State.WAITING : State.RUNNING,
        fields.thread());
  }
}
