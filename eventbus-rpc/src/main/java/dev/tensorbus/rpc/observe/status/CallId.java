// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import io.vertx.core.json.JsonObject;

/// Identifies a call among the calls that one worker serves.
///
/// @param from the caller
/// @param number the number of the call among the caller's calls to the serving worker
public record CallId(String from, long number) {
  JsonObject toJson() {
    return new JsonObject().put("from", from).put("number", number);
  }

  static CallId from(Fields fields) {
    return new CallId(fields.text("from"), fields.whole("number"));
  }
}
