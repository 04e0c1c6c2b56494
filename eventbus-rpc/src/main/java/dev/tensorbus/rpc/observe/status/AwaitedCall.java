// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A call that a worker has made and whose answer it waits for.
///
/// @param to the worker that is to answer
/// @param method its class's simple name and its own, such as `Server.update`
/// @param number its number among the calls to that worker; 0 while that worker is looked for
/// @param forMs for how many milliseconds it has waited
/// @param thread the thread that waits, or null if none does, as after `rpcAsync`
/// @param within the call of another worker whose method has made it, or null if none has
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
