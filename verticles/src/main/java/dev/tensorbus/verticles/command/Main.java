// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.doctor.Doctor;
import dev.tensorbus.verticles.worker.Failure;
import dev.tensorbus.verticles.worker.Programs;
import dev.tensorbus.verticles.worker.Startup;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Spec;

/// The `tensorbus` command.
@Command(
    name = "tensorbus",
    description = "Distributed training on the JVM.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  tensorbus train mnist               a parameter server and two trainers",
      "  tensorbus train mnist --help        all its options; every command has --help",
      "  tensorbus run --workers 3 my.Main   your own program, in three processes",
      "  tensorbus check mnist               compares local and distributed gradients",
      "  tensorbus export mnist              writes the model to mnist.onnx",
      "  tensorbus bench                     lists the benchmarks",
      "  tensorbus status                    shows the workers of a running world",
      "  tensorbus page runs                 shows the runs that --runs has kept",
      "  tensorbus doctor                    checks whether this machine is ready"
    })
public final class Main implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  /// Runs a command and exits with 0, with 1 if it failed, or with 2 if the command line is
  /// invalid.
  public static void main(String[] arguments) {
    Startup.begin();
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    List<Program> programs;
    try {
      programs = Programs.all();
    } catch (UsageException e) {
      System.err.println(Failure.line(e));
      return Failure.exitCode(e);
    }
    return commandLine(programs).execute(arguments);
  }

  static CommandLine commandLine(List<Program> programs) {
    return OneLineErrors.of(
        new CommandLine(new Main())
            .addSubcommand(TrainCommand.of(programs))
            .addSubcommand(RunCommand.commandLine())
            .addSubcommand(new CheckCommand())
            .addSubcommand(new ExportCommand())
            .addSubcommand(new StatusCommand())
            .addSubcommand(new CertificatesCommand())
            .addSubcommand(new PageCommand())
            .addSubcommand(new DoctorCommand(Doctor.here())));
  }

  /// Without a command, prints the description and the examples of `--help`.
  @Override
  public void run() {
    CommandSpec self = Objects.requireNonNull(spec);
    UsageMessageSpec usage = self.usageMessage();
    PrintWriter out = self.commandLine().getOut();
    Stream.of(usage.description(), usage.footer()).flatMap(Stream::of).forEach(out::println);
  }

  /// The text that `--version` prints.
  static final class Version implements IVersionProvider {
    Version() {}

    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "tensorbus %s (Java %s)"
            .formatted(version == null ? "of this build" : version, Runtime.version())
      };
    }
  }
}
