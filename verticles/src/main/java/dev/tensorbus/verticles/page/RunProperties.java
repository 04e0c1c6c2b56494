// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// The constant properties of a run: program, size of the world, start, command line and settings.
final class RunProperties {
  /// Settings that describe where a run is and how it is watched or called, and not the run.
  private static final List<Setting> OMITTED =
      Stream.of(
              List.of(
                  Setting.PROGRAM,
                  Setting.WORLD_SIZE,
                  Setting.RANK,
                  Setting.MASTER_ADDR,
                  Setting.MASTER_PORT,
                  Setting.LOG_LEVEL,
                  Setting.LOG_FORMAT),
              Setting.SECURITY,
              Setting.OBSERVING,
              GatewaySettings.ALL)
          .flatMap(List::stream)
          .toList();

  private RunProperties() {}

  /// Returns the properties of a run that starts now.
  ///
  /// @param command the command line that started it
  static JsonObject of(WorkerOptions options, String command) {
    JsonObject settings = options.toJson();
    OMITTED.forEach(setting -> settings.remove(setting.key()));
    return new JsonObject()
        .put("program", options.program())
        .put("worldSize", options.worldSize())
        .put("started", Instant.now())
        .put("command", command)
        .put("settings", settings);
  }
}
