// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A call that a worker has made and that has not been answered yet.
///
/// @param to the callee
/// @param method the simple class name and the method name, such as `Server.update`
/// @param number the number of the call among the calls to that worker; 0 while that worker is
///     being looked up
/// @param forMs milliseconds since the call was made
/// @param thread the thread that waits for the answer, or null if none does, for example after
///     `rpcAsync`
/// @param within the call whose method made this call, or null if no method made it
public record AwaitedCall(
    String to,
    String method,
    long number,
    long forMs,
    @Nullable ThreadStatus thread,
    @Nullable CallId within) {
  JsonObject toJson() {
    JsonObject json = new JsonObject().put("to", to).put("method", method).put("number", number);
    Fields.putThread(json.put("forMs", forMs), thread);
    return within == null ? json : json.put("within", within.toJson());
  }

  static AwaitedCall from(Fields fields) {
    return new AwaitedCall(
        fields.text("to"),
        fields.text("method"),
        fields.whole("number"),
        fields.whole("forMs"),
        fields.thread(),
        fields.has("within") ? CallId.from(fields.object("within")) : null);
  }
}
