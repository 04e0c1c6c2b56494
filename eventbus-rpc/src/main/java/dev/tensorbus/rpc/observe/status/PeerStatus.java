// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// Another worker, as one sees it.
///
/// @param worker its name
/// @param lane the way of large tensors to it: `shared memory`, `socket` or `bus`, which is also
///     the way while none has been sent
/// @param lastHeardMs how many milliseconds ago it was heard, to a tenth of a second; null while
///     no call between the two waits, or where both are on one Vertx
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
