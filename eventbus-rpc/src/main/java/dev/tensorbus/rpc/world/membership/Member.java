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

/// An incarnation of a worker, as stored in the world's register.
///
/// @param sender the identity of the worker
/// @param node the cluster node on which it runs
/// @param worldSize the world size for which it was started
/// @param program the program that it runs, with the version of Tensorbus
/// @param types the classes that it can decode; the register holds the whole list only for rank 0,
///     and all other workers compare theirs with it
public record Member(Sender sender, String node, int worldSize, String program, Schemas types)
    implements Peer {
  static final int MASTER = 0;
  private static final int MAX_LENGTH = 1 << 20;

  /// Returns the member for a worker that is about to join.
  public static Member of(Sender sender, String node, RpcOptions options, Schemas types) {
    String program = Version.of(options.program());
    return new Member(sender, node, options.worldSize(), program, types);
  }

  /// Returns the worker's name and rank.
  public WorkerInfo info() {
    return sender.info();
  }

  /// Returns the string to store in the register.
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

  /// Decodes an entry of the register. Returns null for anything else, since anyone who can reach
  /// the cluster's port can write to the register.
  static @Nullable Member read(Object entry) {
    if (!(entry instanceof String text) || text.length() > MAX_LENGTH) {
      return null;
    }
    try {
      return decode(text);
    } catch (RuntimeException e) { // not JSON, or a field is missing or of the wrong type
      return null;
    }
  }

  /// Decodes a string that [#encode] returned.
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
