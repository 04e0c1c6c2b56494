// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// The state of another worker, as one worker sees it.
///
/// @param worker the name of the other worker
/// @param lane the route of large tensors to the other worker: `shared memory`, `socket` or `bus`;
///     also `bus` before the first large tensor is sent
/// @param lastHeardMs milliseconds since the last message from the other worker, rounded to 100 ms;
///     null if no call between the two is pending, or if both are on the same Vertx
/// @param sentBytes the number of bytes sent to the other worker, in messages and on the lane
public record PeerStatus(String worker, String lane, @Nullable Long lastHeardMs, long sentBytes) {
  JsonObject toJson() {
    return new JsonObject()
        .put("worker", worker)
        .put("lane", lane)
        .put("lastHeardMs", lastHeardMs)
        .put("sentBytes", sentBytes);
  }

  static PeerStatus from(Fields fields) {
    return new PeerStatus(
        fields.text("worker"),
        fields.text("lane"),
        fields.has("lastHeardMs") ? fields.whole("lastHeardMs") : null,
        fields.whole("sentBytes"));
  }
}
