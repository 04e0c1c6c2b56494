// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The settings of a program: those that every worker has, and the program's own.
///
/// @param all in the order of help
public record ProgramSettings(List<Setting> all) {
  private static final List<Setting> PLACE =
      List.of(
          Setting.PROGRAM,
          Setting.WORLD_SIZE,
          Setting.RANK,
          Setting.MASTER_ADDR,
          Setting.MASTER_PORT,
          Setting.PORTS,
          Setting.ADVERTISED_ADDR);

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
          Setting.OTLP,
          Setting.TRACE_RATIO,
          Setting.LOG_LEVEL,
          Setting.LOG_FORMAT);

  /// Keeps a copy.
  public ProgramSettings {
    all = List.copyOf(all);
  }

  /// The settings of every worker and these, which replace any of the same name.
  public static ProgramSettings with(Setting... own) {
    Map<String, Setting> byName = new LinkedHashMap<>();
    // Twice: for their place before the rest, and to replace what is there.
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

  /// Whether a JSON file may have this key.
  public boolean has(String key) {
    return all.stream().anyMatch(setting -> setting.key().equals(key));
  }

  /// The setting of the same name, as this program has it.
  ///
  /// @throws IllegalArgumentException if the program has none
  public Setting of(Setting like) {
    return find(like)
        .orElseThrow(() -> new IllegalArgumentException("no setting " + like.name() + " here"));
  }

  private Optional<Setting> find(Setting like) {
    return all.stream().filter(setting -> setting.name().equals(like.name())).findFirst();
  }

  /// The settings that the environment has, for containers, by their keys in a JSON file.
  ///
  /// @param variables as of [System#getenv()]
  /// @throws UsageException if a variable has a value that will not do
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

  /// All keys, for an error.
  String keys() {
    return all.stream().map(Setting::key).collect(Collectors.joining(", "));
  }
}
