// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.verticles.doctor.Doctor;
import dev.tensorbus.verticles.doctor.Finding.Verdict;
import dev.tensorbus.verticles.worker.Failure;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `tensorbus doctor`: checks whether a training can run on this machine, and how well.
@Command(
    name = "doctor",
    description =
        "Checks this machine: JDK, cores, kernels, memory, network, ONNX Runtime, GPU. Reports what"
            + " each can be used for and how to fix what is missing. Fails if no training can run"
            + " here.",
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
  /// A strong reference; java.util.logging would otherwise drop the logger along with its level.
  private static final Logger OURS = Logger.getLogger("dev.tensorbus");

  private final Doctor doctor;

  @Spec private @Nullable CommandSpec spec;

  DoctorCommand(Doctor doctor) {
    this.doctor = doctor;
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    Level level = OURS.getLevel();
    OURS.setLevel(Level.WARNING); // the findings repeat what INFO lines say
    try {
      Verdict worst =
          doctor.examine(
              (subject, finding) ->
                  out.printf(
                      "%-4s  %-13s  %s%n",
                      finding.verdict().name().toLowerCase(Locale.ROOT), subject, finding.text()));
      out.println(
          worst == Verdict.BAD
              ? "no training can run here; fix the lines marked bad"
              : "a training can run here");
      return worst == Verdict.BAD ? Failure.FAILED : 0;
    } finally {
      OURS.setLevel(level);
    }
  }
}
