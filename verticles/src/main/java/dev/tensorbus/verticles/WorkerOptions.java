// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.rpc.RpcOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/// A worker's settings, checked and complete; from a command line or from JSON. Immutable.
public final class WorkerOptions {
  private final ProgramSettings settings;
  private final JsonObject values;

  private WorkerOptions(ProgramSettings settings, JsonObject values) {
    this.settings = settings;
    this.values = values;
  }

  /// Checks what was given and fills in the rest.
  ///
  /// @param settings what can be set
  /// @param given values by [Setting#key()]
  /// @throws UsageException if a key is unknown, a value does not fit, or the rank is no one's
  public static WorkerOptions of(ProgramSettings settings, JsonObject given) {
    return of(settings, given, Setting::key);
  }

  /// The same; errors call a setting by its `name`.
  public static WorkerOptions of(
      ProgramSettings settings, JsonObject given, Function<Setting, String> name) {
    requireKnown(settings, given);
    JsonObject values = new JsonObject();
    for (Setting setting : settings.all()) {
      if (given.containsKey(setting.key())) {
        setting.check(name.apply(setting), given.getValue(setting.key()));
        values.put(setting.key(), given.getValue(setting.key()));
      } else if (setting.standard() != null) {
        values.put(setting.key(), setting.standard());
      }
    }
    if (values.containsKey(Setting.PORTS.key()) && !given.containsKey(Setting.MASTER_PORT.key())) {
      int first = PortRange.parse(values.getString(Setting.PORTS.key())).first();
      values.put(Setting.MASTER_PORT.key(), first);
    }
    WorkerOptions options = new WorkerOptions(settings, values);
    options.requireRankInWorld(name.apply(Setting.RANK));
    return options;
  }

  private static void requireKnown(ProgramSettings settings, JsonObject given) {
    for (String key : given.fieldNames()) {
      if (!settings.has(key)) {
        throw new UsageException("unknown key " + key + "; known keys: " + settings.keys());
      }
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

  /// The same with one setting changed; only this one is checked.
  ///
  /// @throws UsageException if the value does not fit, or the rank is no one's
  public WorkerOptions with(Setting setting, Object value) {
    settings.of(setting).check(setting.key(), value);
    return changed(values.copy().put(setting.key(), value));
  }

  /// The same with a setting as if it were not given.
  public WorkerOptions without(Setting setting) {
    JsonObject fewer = values.copy();
    fewer.remove(setting.key());
    Object standard = settings.of(setting).standard();
    return changed(standard == null ? fewer : fewer.put(setting.key(), standard));
  }

  private WorkerOptions changed(JsonObject others) {
    WorkerOptions options = new WorkerOptions(settings, others);
    options.requireRankInWorld(Setting.RANK.key());
    return options;
  }

  /// The values by [Setting#key()], from which [#of(ProgramSettings, JsonObject)] makes the same
  /// again.
  public JsonObject toJson() {
    return values.copy();
  }

  /// The program's name.
  public String program() {
    return values.getString(Setting.PROGRAM.key());
  }

  /// How many workers there are, rank 0 included.
  public int worldSize() {
    return whole(Setting.WORLD_SIZE);
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
    return whole(Setting.MASTER_PORT);
  }

  /// The ports to listen on.
  public PortRange ports() {
    String given = values.getString(Setting.PORTS.key());
    return given == null ? PortRange.ANY : PortRange.parse(given);
  }

  /// The host that others are told to connect to; empty for the address that this worker listens
  /// at.
  public Optional<String> advertisedAddr() {
    return Optional.ofNullable(values.getString(Setting.ADVERTISED_ADDR.key()));
  }

  /// Where the data lie; empty where the program makes its own.
  public Optional<Path> data() {
    return path(Setting.DATA);
  }

  /// Passes over the data.
  public int epochs() {
    return whole(Setting.EPOCHS);
  }

  /// Examples in a step.
  public int batchSize() {
    return whole(Setting.BATCH_SIZE);
  }

  /// The learning rate.
  public double lr() {
    return number(Setting.LR);
  }

  /// Where all randomness starts.
  public long seed() {
    return values.getLong(Setting.SEED.key());
  }

  /// Cores for arithmetic; empty for all.
  public OptionalInt threads() {
    return optionalInt(Setting.THREADS);
  }

  /// Returns the maximum time to wait for an answer.
  public Duration timeout() {
    return timeoutOr(RpcOptions.DEFAULT_TIMEOUT);
  }

  /// Returns the maximum time to wait until all workers have joined. People start ranks one by one,
  /// and a busy machine takes minutes, so the default is larger than that of answers.
  public Duration rendezvousTimeout() {
    return timeoutOr(RpcOptions.DEFAULT_RENDEZVOUS_TIMEOUT);
  }

  private Duration timeoutOr(Duration standard) {
    Long given = values.getLong(Setting.TIMEOUT.key());
    return given == null ? standard : Duration.ofSeconds(given);
  }

  /// The silence after which a worker counts as dead.
  public Duration heartbeatTimeout() {
    return Duration.ofSeconds(values.getLong(Setting.HEARTBEAT_TIMEOUT.key()));
  }

  /// How the worker's threads wait.
  public IdleMode idleStrategy() {
    return IdleMode.valueOf(word(Setting.IDLE_STRATEGY).toUpperCase(Locale.ROOT));
  }

  /// A whole number that is given or has a standard.
  public int whole(Setting setting) {
    return values.getInteger(setting.key());
  }

  /// The same beyond 2^31.
  public long longWhole(Setting setting) {
    return values.getLong(setting.key());
  }

  /// A number that is given or has a standard.
  public double number(Setting setting) {
    return values.getDouble(setting.key());
  }

  /// Whether a flag is on.
  public boolean isOn(Setting flag) {
    return values.getBoolean(flag.key(), false);
  }

  /// A word that is given or has a standard.
  public String word(Setting setting) {
    return values.getString(setting.key());
  }

  /// A file or folder, if one is given.
  public Optional<Path> path(Setting setting) {
    return Optional.ofNullable(values.getString(setting.key())).map(Path::of);
  }

  /// A whole number, if one is given.
  public OptionalInt optionalInt(Setting setting) {
    Integer value = values.getInteger(setting.key());
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  /// A number, if one is given.
  public OptionalDouble optionalNumber(Setting setting) {
    Double value = values.getDouble(setting.key());
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
