// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/// A worker's settings, checked and complete; from a command line or from JSON. Immutable.
public final class WorkerOptions {
  private final JsonObject values;

  private WorkerOptions(JsonObject values) {
    this.values = values;
  }

  /// Checks what was given and fills in the rest.
  ///
  /// @param given values by [Setting#key()]
  /// @throws UsageException if a key is unknown, a value does not fit, or the rank is no one's
  public static WorkerOptions of(JsonObject given) {
    return of(given, Setting::key);
  }

  /// The same; errors call a setting by its `name`.
  public static WorkerOptions of(JsonObject given, Function<Setting, String> name) {
    given.fieldNames().forEach(WorkerOptions::requireKnown);
    JsonObject values = new JsonObject();
    for (Setting setting : Setting.values()) {
      if (given.containsKey(setting.key())) {
        setting.check(name.apply(setting), given.getValue(setting.key()));
        values.put(setting.key(), given.getValue(setting.key()));
      } else if (setting.standard() != null) {
        values.put(setting.key(), setting.standard());
      }
    }
    WorkerOptions options = new WorkerOptions(values);
    options.requireRankInWorld(name.apply(Setting.RANK));
    return options;
  }

  private static void requireKnown(String key) {
    if (Setting.of(key).isEmpty()) {
      throw new UsageException("unknown key " + key + "; known keys: " + Setting.keys());
    }
  }

  private void requireRankInWorld(String name) {
    int worldSize = worldSize();
    rank()
        .ifPresent(
            rank -> {
              if (rank >= worldSize) {
                throw new UsageException(
                    "%s is %d, outside a world of %d workers; expected 0 to %d"
                        .formatted(name, rank, worldSize, worldSize - 1));
              }
            });
  }

  /// The same with one setting changed.
  public WorkerOptions with(Setting setting, Object value) {
    return of(values.copy().put(setting.key(), value));
  }

  /// The values by [Setting#key()], from which [#of(JsonObject)] makes the same again.
  public JsonObject toJson() {
    return values.copy();
  }

  /// The program's name.
  public String program() {
    return values.getString(Setting.PROGRAM.key());
  }

  /// How many workers there are, the parameter server included.
  public int worldSize() {
    return values.getInteger(Setting.WORLD_SIZE.key());
  }

  /// Which of them this is; empty where it takes the next free one.
  public OptionalInt rank() {
    return optionalInt(Setting.RANK);
  }

  /// The host of rank 0.
  public String masterAddr() {
    return values.getString(Setting.MASTER_ADDR.key());
  }

  /// The port of rank 0.
  public int masterPort() {
    return values.getInteger(Setting.MASTER_PORT.key());
  }

  /// The folder of the data set; empty where the program makes its own data.
  public Optional<Path> data() {
    return Optional.ofNullable(values.getString(Setting.DATA.key())).map(Path::of);
  }

  /// Passes over the data.
  public int epochs() {
    return values.getInteger(Setting.EPOCHS.key());
  }

  /// Examples in a step.
  public int batchSize() {
    return values.getInteger(Setting.BATCH_SIZE.key());
  }

  /// The learning rate.
  public float lr() {
    return values.getFloat(Setting.LR.key());
  }

  /// Where all randomness starts.
  public long seed() {
    return values.getLong(Setting.SEED.key());
  }

  /// Cores for arithmetic; empty for all.
  public OptionalInt threads() {
    return optionalInt(Setting.THREADS);
  }

  /// The longest wait for the other workers, and for an answer of one.
  public Duration timeout() {
    return Duration.ofSeconds(values.getLong(Setting.TIMEOUT.key()));
  }

  /// The silence after which a worker counts as dead.
  public Duration heartbeatTimeout() {
    return Duration.ofSeconds(values.getLong(Setting.HEARTBEAT_TIMEOUT.key()));
  }

  private OptionalInt optionalInt(Setting setting) {
    Integer value = values.getInteger(setting.key());
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }
}
