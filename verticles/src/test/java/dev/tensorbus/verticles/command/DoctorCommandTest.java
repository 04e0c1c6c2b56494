// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.doctor.Doctor;
import dev.tensorbus.verticles.doctor.Doctor.Probe;
import dev.tensorbus.verticles.doctor.Finding;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DoctorCommandTest {
  private static final Probe CORES = new Probe("cores", () -> () -> Finding.ok("2: enough"));
  private static final Probe SHARED =
      new Probe("shared memory", () -> () -> Finding.weak("none: tensors take longer"));
  private static final Probe ADDRESS = new Probe("address", () -> () -> Finding.bad("none"));

  private final StringWriter out = new StringWriter();

  private int execute(List<Probe> probes, String... arguments) {
    CommandLine command =
        new CommandLine(new DoctorCommand(new Doctor(probes, Duration.ofMinutes(1))));
    return command.setOut(new PrintWriter(out)).execute(arguments);
  }

  @Test
  void aMachineThatIsWeakCanTrain() {
    assertThat(execute(List.of(CORES, SHARED))).isZero();
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            """
            ok    cores          2: enough
            weak  shared memory  none: tensors take longer
            a training can run here
            """);
  }

  @Test
  void oneThatIsBadCannot() {
    assertThat(execute(List.of(ADDRESS, CORES))).isEqualTo(1);
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            """
            bad   address        none
            ok    cores          2: enough
            no training can run here; fix the lines marked bad
            """);
  }

  @Test
  void itHasHelp() {
    assertThat(execute(List.of(), "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: doctor").contains("Checks this machine");
  }
}
