// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.membership;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.json.JsonObject;

/// One life of a worker as the world's register shows it.
///
/// @param sender who it is
/// @param node the cluster node that it lives on
/// @param worldSize the size of world that it was started for
/// @param types the fingerprint of the types that it can decode
public record Member(Sender sender, String node, int worldSize, String types) {
  /// Its name and rank.
  public WorkerInfo info() {
    return sender.info();
  }

  /// As the register holds it.
  public String encode() {
    return new JsonObject()
        .put("name", info().name())
        .put("rank", info().id())
        .put("incarnation", Long.toHexString(sender.incarnation()))
        .put("node", node)
        .put("worldSize", worldSize)
        .put("types", types)
        .encode();
  }

  /// What [#encode] made.
  public static Member decode(String text) {
    JsonObject json = new JsonObject(text);
    return new Member(
        new Sender(
            new WorkerInfo(json.getString("name"), json.getInteger("rank")),
            Long.parseUnsignedLong(json.getString("incarnation"), 16)),
        json.getString("node"),
        json.getInteger("worldSize"),
        json.getString("types"));
  }
}
