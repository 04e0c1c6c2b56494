// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.Peer;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.value.Schemas;
import io.vertx.core.json.JsonObject;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One life of a worker as the world's register shows it.
///
/// @param sender who it is
/// @param node the cluster node that it lives on
/// @param worldSize the size of world that it was started for
/// @param program the program that it runs, and the version of Tensorbus that it runs on
/// @param types what it can decode; the register holds the whole list for rank 0 only, whom all
///     others compare themselves with
public record Member(Sender sender, String node, int worldSize, String program, Schemas types)
    implements Peer {
  static final int MASTER = 0;
  private static final int MAX_LENGTH = 1 << 20;

  /// The life of a worker that is about to join.
  public static Member of(Sender sender, String node, RpcOptions options, Schemas types) {
    String program = Version.of(options.program());
    return new Member(sender, node, options.worldSize(), program, types);
  }

  /// Its name and rank.
  public WorkerInfo info() {
    return sender.info();
  }

  /// As the register holds it.
  public String encode() {
    JsonObject json =
        new JsonObject()
            .put("name", info().name())
            .put("rank", info().id())
            .put("incarnation", Long.toHexString(sender.incarnation()))
            .put("node", node)
            .put("worldSize", worldSize)
            .put("program", program)
            .put("types", types.fingerprint());
    if (info().id() == MASTER) {
      json.put("schemas", types.each());
    }
    return json.encode();
  }

  /// Decodes an entry of the register. Null if it holds something else: anyone who reaches the port
  /// of the cluster can write to it.
  static @Nullable Member read(Object entry) {
    if (!(entry instanceof String text) || text.length() > MAX_LENGTH) {
      return null;
    }
    try {
      return decode(text);
    } catch (RuntimeException e) { // no JSON, or a field is missing, or of another type
      return null;
    }
  }

  /// Decodes the text that [#encode] made.
  public static Member decode(String text) {
    JsonObject json = new JsonObject(text);
    return new Member(
        new Sender(
            new WorkerInfo(json.getString("name"), json.getInteger("rank")),
            Long.parseUnsignedLong(json.getString("incarnation"), 16)),
        json.getString("node"),
        json.getInteger("worldSize"),
        json.getString("program", "an older version of Tensorbus"),
        new Schemas(json.getString("types"), schemas(json)));
  }

  private static SortedMap<String, String> schemas(JsonObject json) {
    SortedMap<String, String> schemas = new TreeMap<>();
    json.getJsonObject("schemas", new JsonObject())
        .forEach(entry -> schemas.put(entry.getKey(), (String) entry.getValue()));
    return schemas;
  }
}
