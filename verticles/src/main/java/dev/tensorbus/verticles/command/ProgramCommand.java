// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.StoreCheckpoints;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.log.Logs;
import dev.tensorbus.verticles.profile.ProfileExtension;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.worker.MasterPort;
import dev.tensorbus.verticles.worker.WorkerApplication;
import dev.tensorbus.verticles.worker.WorkerCluster;
import dev.tensorbus.verticles.world.LocalWorld;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/// `tensorbus train PROGRAM`: runs a whole world on this machine or, with `--rank`, one worker.
@Command(mixinStandardHelpOptions = true, sortOptions = false, abbreviateSynopsis = true)
final class ProgramCommand implements Callable<Integer> {
  private final Program program;

  @Spec private @Nullable CommandSpec spec;

  private ProgramCommand(Program program) {
    this.program = program;
  }

  /// Returns the command of a program, with an option for each of its settings.
  static CommandSpec specification(Program program) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new ProgramCommand(program));
    spec.name(program.name());
    spec.usageMessage().description("Trains " + program.summary() + ".");
    for (Setting setting : program.settings().all()) {
      if (!setting.equals(Setting.PROGRAM)) {
        spec.addOption(option(setting));
      }
    }
    return spec;
  }

  /// Returns the option of a setting.
  static OptionSpec option(Setting setting) {
    OptionSpec.Builder option =
        OptionSpec.builder(setting.option()).description(setting.description());
    if (setting.isFlag()) {
      return option.type(Boolean.class).arity("0").build();
    }
    if (setting.kind() instanceof SettingType.OptionalFolder) {
      option.arity("0..1").fallbackValue("");
    }
    return option.type(String.class).paramLabel(setting.label()).build();
  }

  @Override
  public Integer call() throws InterruptedException {
    JsonObject given = given();
    WorkerOptions options = WorkerOptions.of(program.settings(), given, Setting::option);
    Logs.configure(options);
    boolean hasPort =
        given.containsKey(Setting.MASTER_PORT.key()) || given.containsKey(Setting.PORTS.key());
    try (Display display = Display.onThisScreen(options)) {
      Optional<Role> role = role(options);
      return role.isPresent()
          ? WorkerApplication.run(program, role.get(), options, display)
          : runWorld(options, hasPort, display);
    }
  }

  /// Returns the role of the only worker to run; empty if the whole world runs here.
  private Optional<Role> role(WorkerOptions options) {
    OptionalInt rank = options.rank();
    return rank.isPresent()
        ? Optional.of(program.binding(rank.getAsInt(), options).role())
        : ServerSettings.role(options);
  }

  /// Returns the given settings; options take precedence over environment variables.
  private JsonObject given() {
    JsonObject values = program.settings().given(System.getenv());
    values.put(Setting.PROGRAM.key(), program.name());
    for (Setting setting : program.settings().all()) {
      Object given = given(setting);
      if (given != null) {
        values.put(setting.key(), setting.read(given.toString()));
      }
    }
    return values;
  }

  private @Nullable Object given(Setting setting) {
    return Objects.requireNonNull(spec)
        .commandLine()
        .getParseResult()
        .matchedOptionValue(setting.option(), null);
  }

  private int runWorld(WorkerOptions options, boolean hasPort, Display display)
      throws InterruptedException {
    program.check().accept(options);
    ProfileExtension.check(options);
    StoreCheckpoints.of(options).requireNoOlderRun();
    if (!hasPort) {
      WorkerOptions free = options.with(Setting.MASTER_PORT, MasterPort.announceFree());
      return LocalWorld.run(program, free, display);
    }
    WorkerCluster.of(true, options).requireMeetingPoint();
    return LocalWorld.run(program, options, display);
  }
}
