// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The settings of a program: those common to all workers, and the program's own.
///
/// @param all the settings, in the order of the help text
public record ProgramSettings(List<Setting> all) {
  private static final List<Setting> PLACE =
      List.of(
          Setting.PROGRAM,
          Setting.WORLD_SIZE,
          Setting.RANK,
          Setting.MASTER_ADDR,
          Setting.MASTER_PORT,
          Setting.PORTS,
          Setting.ADVERTISED_ADDR,
          Setting.TLS,
          Setting.TRUSTED_NETWORK);

  private static final List<Setting> CARE =
      List.of(
          Setting.TENSORBOARD,
          Setting.LOG,
          Setting.PROFILE,
          Setting.SEED,
          Setting.THREADS,
          Setting.TIMEOUT,
          Setting.HEARTBEAT_TIMEOUT,
          Setting.ON_LOSS,
          Setting.IDLE_STRATEGY,
          Setting.METRICS,
          Setting.METRICS_HOST,
          Setting.PAGE,
          Setting.PAGE_HOST,
          Setting.RUNS,
          Setting.OTLP,
          Setting.TRACE_RATIO,
          Setting.LOG_LEVEL,
          Setting.LOG_FORMAT);

  /// Copies the list.
  public ProgramSettings {
    all = List.copyOf(all);
  }

  /// Returns the common settings plus the given ones, which override common settings with the same
  /// name.
  public static ProgramSettings with(Setting... own) {
    Map<String, Setting> byName = new LinkedHashMap<>();
    // `own` appears twice: first for its position before CARE, then to override common settings.
    Stream.of(
            PLACE.stream(),
            Stream.of(own),
            CARE.stream(),
            GatewaySettings.ALL.stream(),
            Stream.of(own))
        .flatMap(settings -> settings)
        .forEach(setting -> byName.put(setting.name(), setting));
    return new ProgramSettings(List.copyOf(byName.values()));
  }

  /// Returns the settings of a program that may have parameter servers: those of [#with], and those
  /// of the servers before the given ones.
  public static ProgramSettings withServers(Setting... own) {
    return with(Stream.concat(ServerSettings.ALL.stream(), Stream.of(own)).toArray(Setting[]::new));
  }

  /// Returns whether a JSON file may have this key.
  public boolean has(String key) {
    return all.stream().anyMatch(setting -> setting.key().equals(key));
  }

  /// Returns this program's version of a setting, found by its name.
  ///
  /// @throws IllegalArgumentException if the program has no such setting
  public Setting of(Setting like) {
    return find(like)
        .orElseThrow(
            () -> new IllegalArgumentException("this program has no setting " + like.name()));
  }

  private Optional<Setting> find(Setting like) {
    return all.stream().filter(setting -> setting.name().equals(like.name())).findFirst();
  }

  /// Reads settings from environment variables, which are the usual way to configure containers.
  /// Returns their values by [Setting#key()].
  ///
  /// @param variables the environment, such as [System#getenv()]
  /// @throws UsageException if a variable has an invalid value
  public JsonObject given(Map<String, String> variables) {
    JsonObject given = new JsonObject();
    for (Setting setting : all) {
      String word = variables.get(setting.variable());
      if (word != null) {
        Object value = setting.read(setting.variable(), word);
        setting.check(setting.variable(), value);
        given.put(setting.key(), value);
      }
    }
    return given;
  }

  /// Returns all keys, for an error message.
  String keys() {
    return all.stream().map(Setting::key).collect(Collectors.joining(", "));
  }
}
