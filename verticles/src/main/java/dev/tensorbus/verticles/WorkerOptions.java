// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.PortRange;
import dev.tensorbus.rpc.RpcOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

/// The validated and complete settings of a worker, from a command line or from JSON. Immutable.
public final class WorkerOptions {
  private final ProgramSettings settings;
  private final JsonObject values;

  private WorkerOptions(ProgramSettings settings, JsonObject values) {
    this.settings = settings;
    this.values = values;
  }

  /// Validates the given values and adds the defaults.
  ///
  /// @param settings the known settings
  /// @param given values by [Setting#key()]
  /// @throws UsageException if a key is unknown, a value is invalid, or the rank is outside the
  ///     world
  public static WorkerOptions of(ProgramSettings settings, JsonObject given) {
    return of(settings, given, Setting::key);
  }

  /// Validates the given values and adds the defaults.
  ///
  /// @param name returns the name of a setting in error messages
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
    Integer servers = values.getInteger(ServerSettings.SERVERS.key());
    if (servers != null && !given.containsKey(Setting.WORLD_SIZE.key())) {
      boolean hasWitness = values.getBoolean(ServerSettings.WITNESS.key(), false);
      values.put(Setting.WORLD_SIZE.key(), ServerSettings.usualWorldSize(servers, hasWitness));
    }
    WorkerOptions options = new WorkerOptions(settings, values);
    options.requireRankInWorld(name.apply(Setting.RANK));
    ListenHosts.check(values, name);
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

  /// Returns a copy with one setting changed; validates only this setting.
  ///
  /// @throws UsageException if the value is invalid, or the rank is outside the world
  public WorkerOptions with(Setting setting, Object value) {
    settings.of(setting).check(setting.key(), value);
    return changed(values.copy().put(setting.key(), value));
  }

  /// Returns a copy with a setting reset to its default.
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

  /// Returns the values by [Setting#key()]; [#of(ProgramSettings, JsonObject)] reads them back.
  public JsonObject toJson() {
    return values.copy();
  }

  /// Returns the command that runs the whole world with these settings.
  public String command() {
    StringBuilder command = new StringBuilder("tensorbus train ").append(program());
    for (Setting setting : settings.all()) {
      Object value = values.getValue(setting.key());
      boolean isOfThisWorker =
          List.of("program", "rank", "role", "master-port").contains(setting.name());
      if (!isOfThisWorker
          && value != null
          && !value.toString().equals(String.valueOf(setting.standard()))) {
        command.append(' ').append(setting.option()).append(setting.isFlag() ? "" : " " + value);
      }
    }
    return command.toString();
  }

  /// Returns the name of the program.
  public String program() {
    return values.getString(Setting.PROGRAM.key());
  }

  /// Returns whether a setting has another value than its default.
  public boolean isGiven(Setting setting) {
    Object value = values.getValue(setting.key());
    return value != null && !value.equals(setting.standard());
  }

  /// Returns the number of workers, rank 0 included.
  public int worldSize() {
    return whole(Setting.WORLD_SIZE);
  }

  /// Returns the rank of this worker; empty if the worker takes the next free rank.
  public OptionalInt rank() {
    return optionalInt(Setting.RANK);
  }

  /// Returns whether this is the worker of rank 0, at which the others meet.
  public boolean isFirst() {
    return rank().orElse(-1) == 0;
  }

  /// Returns the host of rank 0.
  public String masterAddr() {
    return values.getString(Setting.MASTER_ADDR.key());
  }

  /// Returns the port of rank 0.
  public int masterPort() {
    return whole(Setting.MASTER_PORT);
  }

  /// Returns the ports to listen on.
  public PortRange ports() {
    String given = values.getString(Setting.PORTS.key());
    return given == null ? PortRange.ANY : PortRange.parse(given);
  }

  /// Returns the address that other workers connect to; empty for the address that this worker is
  /// bound to.
  public Optional<String> advertisedAddr() {
    return Optional.ofNullable(values.getString(Setting.ADVERTISED_ADDR.key()));
  }

  /// Returns the folder of the data; empty if the program generates its own.
  public Optional<Path> data() {
    return path(Setting.DATA);
  }

  /// Returns the number of passes over the data.
  public int epochs() {
    return whole(Setting.EPOCHS);
  }

  /// Returns the number of examples per step.
  public int batchSize() {
    return whole(Setting.BATCH_SIZE);
  }

  /// Returns the learning rate.
  public double lr() {
    return number(Setting.LR);
  }

  /// Returns the random seed.
  public long seed() {
    return values.getLong(Setting.SEED.key());
  }

  /// Returns the number of cores for arithmetic; empty for all.
  public OptionalInt threads() {
    return optionalInt(Setting.THREADS);
  }

  /// Returns the maximum time to wait for an answer.
  public Duration timeout() {
    return timeoutOr(RpcOptions.DEFAULT_TIMEOUT);
  }

  /// Returns the maximum time to wait until all workers have joined. The default is longer than the
  /// one for answers, because people start ranks one by one, and a busy machine takes minutes to
  /// start them.
  public Duration rendezvousTimeout() {
    return timeoutOr(RpcOptions.DEFAULT_RENDEZVOUS_TIMEOUT);
  }

  private Duration timeoutOr(Duration standard) {
    Long given = values.getLong(Setting.TIMEOUT.key());
    return given == null ? standard : Duration.ofSeconds(given);
  }

  /// Returns how long a worker may be silent before it is considered dead.
  public Duration heartbeatTimeout() {
    return Duration.ofSeconds(values.getLong(Setting.HEARTBEAT_TIMEOUT.key()));
  }

  /// Returns how the worker's threads wait.
  public IdleMode idleStrategy() {
    return IdleMode.valueOf(word(Setting.IDLE_STRATEGY).toUpperCase(Locale.ROOT));
  }

  /// Returns the value of an `int` setting that is given or has a default.
  public int whole(Setting setting) {
    return values.getInteger(setting.key());
  }

  /// Returns the value of a `long` setting that is given or has a default.
  public long longWhole(Setting setting) {
    return values.getLong(setting.key());
  }

  /// Returns the value of a `double` setting that is given or has a default.
  public double number(Setting setting) {
    return values.getDouble(setting.key());
  }

  /// Returns whether a flag is on.
  public boolean isOn(Setting flag) {
    return values.getBoolean(flag.key(), false);
  }

  /// Returns the value of a string setting that is given or has a default.
  public String word(Setting setting) {
    return values.getString(setting.key());
  }

  /// Returns the value of a file or folder setting, if given.
  public Optional<Path> path(Setting setting) {
    return Optional.ofNullable(values.getString(setting.key())).map(Path::of);
  }

  /// Returns the value of an `int` setting, if given.
  public OptionalInt optionalInt(Setting setting) {
    Integer value = values.getInteger(setting.key());
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  /// Returns the value of a `double` setting, if given.
  public OptionalDouble optionalNumber(Setting setting) {
    Double value = values.getDouble(setting.key());
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
