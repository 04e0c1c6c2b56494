// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A call that is queued or runs on its callee.
///
/// @param from the caller
/// @param method its class's simple name and its own, such as `Server.update`
/// @param number its number among that worker's calls to this one
/// @param forMs milliseconds since it arrived
/// @param state whether it runs
/// @param thread the thread that runs it, or null if none does: it is queued, or its method has
///     returned a future that is not complete
public record ServingCall(
    String from,
    String method,
    long number,
    long forMs,
    State state,
    @Nullable ThreadStatus thread) {
  /// Whether a call runs.
  public enum State {
    /// The call runs.
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
