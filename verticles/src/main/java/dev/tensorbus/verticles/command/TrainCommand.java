// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.Display;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tensorbus train PROGRAM`: a whole world here or, with `--rank`, one worker of it.
@Command(
    name = "train",
    description = "Trains a model, on this machine or on several.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Examples:",
      "  tensorbus train mnist                        draws its own digits to learn from",
      "  tensorbus train mnist --data DIR --world-size 4",
      "",
      "One worker in each terminal or on each machine, with the port of rank 0 open:",
      "  tensorbus train mnist --rank 0 --master-addr 10.0.0.1",
      "  tensorbus train mnist --rank 1 --master-addr 10.0.0.1",
      "  tensorbus train mnist --rank 2 --master-addr 10.0.0.1"
    })
final class TrainCommand implements Callable<Integer> {
  private final List<Program> programs;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "PROGRAM", description = "what to train: mnist")
  private @Nullable String program;

  TrainCommand(List<Program> programs) {
    this.programs = programs;
  }

  /// The settings are options under their own names.
  static CommandSpec specification(List<Program> programs) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new TrainCommand(programs));
    for (Setting setting : Setting.values()) {
      if (setting != Setting.PROGRAM) {
        spec.addOption(
            OptionSpec.builder(setting.option())
                .type(String.class)
                .paramLabel(setting.label())
                .description(setting.help())
                .build());
      }
    }
    return spec;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (program == null) {
      throw new UsageException(
          "train what? known programs: %s; for example tensorbus train mnist"
              .formatted(Programs.names(programs)));
    }
    Program chosen = Programs.named(program, programs);
    WorkerOptions options = options();
    try (Display display = Display.onThisScreen()) {
      OptionalInt rank = options.rank();
      return rank.isPresent()
          ? WorkerApplication.run(chosen, Role.of(rank.getAsInt()), options, display)
          : runWorld(chosen, options, display);
    }
  }

  private WorkerOptions options() {
    JsonObject values = new JsonObject().put(Setting.PROGRAM.key(), program);
    for (Setting setting : Setting.values()) {
      String word = given(setting);
      if (word != null) {
        values.put(setting.key(), setting.read(word));
      }
    }
    return WorkerOptions.of(values, Setting::option);
  }

  private @Nullable String given(Setting setting) {
    return Objects.requireNonNull(spec)
        .commandLine()
        .getParseResult()
        .matchedOptionValue(setting.option(), null);
  }

  private int runWorld(Program chosen, WorkerOptions options, Display display)
      throws InterruptedException {
    chosen.check().accept(options);
    if (given(Setting.MASTER_PORT) == null) {
      return LocalWorld.run(options.with(Setting.MASTER_PORT, MasterPort.free()), display);
    }
    WorkerCluster.of(Role.PARAMETER_SERVER, options).requireMeetingPoint();
    return LocalWorld.run(options, display);
  }
}
