// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// Another worker, as one worker sees it.
///
/// @param worker its name
/// @param lane the route of large tensors to it: `shared memory`, `socket` or `bus`, which is also
///     the value before the first is sent
/// @param lastHeardMs milliseconds since the last message from it, rounded to 100 ms; null while no
///     call between the two is pending, or if both are on one Vertx
public record PeerStatus(String worker, String lane, @Nullable Long lastHeardMs) {
  JsonObject toJson() {
    return new JsonObject().put("worker", worker).put("lane", lane).put("lastHeardMs", lastHeardMs);
  }

  static PeerStatus from(Fields fields) {
    return new PeerStatus(
        fields.text("worker"),
        fields.text("lane"),
        fields.has("lastHeardMs") ? fields.whole("lastHeardMs") : null);
  }
}
