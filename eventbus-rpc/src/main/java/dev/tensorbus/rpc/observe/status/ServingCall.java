// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A call of another worker that waits or runs at the worker that is to answer it.
///
/// @param from the worker that has made it
/// @param method its class's simple name and its own, such as `Server.update`
/// @param number its number among that worker's calls to this one
/// @param forMs for how many milliseconds it has been there
/// @param state whether it runs
/// @param thread the thread that runs it, or null if none does: it waits, or its method has
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
    /// It does.
    RUNNING,
    /// It waits until the worker runs fewer calls.
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
