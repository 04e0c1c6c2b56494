// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ServerStatus;
import dev.tensorbus.optim.server.ServerStatus.Group;
import dev.tensorbus.optim.server.ServerStatus.TakeOver;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicBoolean;

/// Reads the status of a worker's parameter server. The server may be busy, and the page is
/// answered on an event loop, so each answer has the status that was read after the previous one.
final class ServerReading {
  private final AtomicBoolean isReading = new AtomicBoolean();
  private volatile JsonObject latest = new JsonObject();

  /// Returns the latest status, empty if the worker is no parameter server, and reads the next one.
  JsonObject next(Rpc rpc) {
    if (isReading.compareAndSet(false, true)) {
      Threads.system().start("server-status", () -> read(rpc));
    }
    return latest;
  }

  private void read(Rpc rpc) {
    try {
      latest = ParameterServer.statusOf(rpc).map(ServerReading::toJson).orElseGet(JsonObject::new);
    } finally {
      isReading.set(false);
    }
  }

  static JsonObject toJson(ServerStatus status) {
    return new JsonObject()
        .put("epoch", status.epoch())
        .put("servers", new JsonArray(status.servers()))
        .put("primarySlots", status.primarySlots())
        .put("backupSlots", status.backupSlots())
        .put("lostSlots", status.lostSlots())
        .put("groups", new JsonArray(status.groups().stream().map(ServerReading::json).toList()))
        .put(
            "takeOvers",
            new JsonArray(status.takeOvers().stream().map(ServerReading::json).toList()));
  }

  private static JsonObject json(Group group) {
    JsonObject staleness = new JsonObject();
    group.staleness().forEach(staleness::put);
    return new JsonObject()
        .put("name", group.name())
        .put("version", group.version())
        .put("staleness", staleness);
  }

  private static JsonObject json(TakeOver takeOver) {
    return new JsonObject()
        .put("server", takeOver.server())
        .put("slots", takeOver.slots())
        .put("lost", takeOver.lost())
        .put("millis", takeOver.millis());
  }
}
