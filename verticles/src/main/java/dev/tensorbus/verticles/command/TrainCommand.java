// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.worker.Programs;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `tensorbus train`, with a subcommand for each program.
@Command(
    name = "train",
    description = "Trains a model on one or several machines.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "PROGRAM",
    subcommandsRepeatable = false,
    footer = {
      "",
      "Examples:",
      "  tensorbus train mnist               a whole world here, on generated data",
      "  tensorbus train mnist --help        all options",
      "  tensorbus train mnist --servers 3   on parameter servers, of which one may die",
      "",
      "One worker per terminal or machine; the port of rank 0 must be reachable:",
      "  tensorbus train mnist --rank 0 --master-addr 10.0.0.1 --tls DIR",
      "  tensorbus train mnist --rank 1 --master-addr 10.0.0.1 --tls DIR",
      "  tensorbus train mnist --rank 2 --master-addr 10.0.0.1 --tls DIR"
    })
final class TrainCommand implements Runnable {
  private final List<Program> programs;

  private TrainCommand(List<Program> programs) {
    this.programs = programs;
  }

  static CommandLine of(List<Program> programs) {
    CommandLine train = new CommandLine(new TrainCommand(programs));
    programs.forEach(program -> train.addSubcommand(ProgramCommand.specification(program)));
    return train;
  }

  @Override
  public void run() {
    throw new UsageException(
        "missing PROGRAM; expected one of: %s; for example tensorbus train mnist"
            .formatted(Programs.names(programs)));
  }
}
