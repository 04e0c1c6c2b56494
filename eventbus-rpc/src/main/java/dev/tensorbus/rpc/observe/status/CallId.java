// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;

/// Identifies a call among those that one worker serves.
///
/// @param from its caller
/// @param number its number among that worker's calls to this one
public record CallId(String from, long number) {
  JsonObject toJson() {
    return new JsonObject().put("from", from).put("number", number);
  }

  static CallId from(Fields fields) {
    return new CallId(fields.text("from"), fields.whole("number"));
  }
}
