// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// `tensorbus status` of a world that hangs.
@Isolated("the warning of a busy event loop fails it")
class StatusIT {
  private static final int MOST_LOOKS = 20;

  private static final Pattern CULPRIT =
      Pattern.compile(
          "(?m)^everybody waits for: worker0 · HungMain\\.update · thread tensorbus-call-\\d+"
              + " · at HungMain\\.update\\(HungMain\\.java:\\d+\\) · 2 such calls$");

  private final String port = Integer.toString(FreePort.find());

  @TempDir private Path folder;

  private Running world(Path gate) throws IOException {
    return Commands.jar(
        "tensorbus.jar",
        "run",
        "-cp",
        "target/test-classes",
        "--workers",
        "3",
        "--master-port",
        port,
        HungMain.class.getName(),
        gate.toString());
  }

  private String status(String... more) throws Exception {
    String[] words = new String[more.length + 5];
    words[0] = "status";
    words[1] = "--master-port";
    words[2] = port;
    words[3] = "--timeout";
    words[4] = "240"; // on a busy machine
    System.arraycopy(more, 0, words, 5, more.length);
    try (Running status = Commands.jar("tensorbus.jar", words)) {
      assertThat(status.end()).as(status.output()).isZero();
      return status.output();
    }
  }

  @Test
  void aWorldThatHangsSaysWhereAndGoesOnUnharmed() throws Exception {
    Path gate = folder.resolve("gate");
    try (Running world = world(gate)) {
      world.await("[worker1] waits");
      world.await("[worker2] waits");
      String shown = status();
      for (int looks = 1; looks < MOST_LOOKS && !CULPRIT.matcher(shown).find(); looks++) {
        shown = status(); // a call had yet to arrive or to reach its line
      }
      assertThat(shown).containsPattern(CULPRIT);
      assertThat(shown.lines())
          .anyMatch(line -> line.matches("0 +worker0 +127\\.0\\.0\\.1 +\\d+ .*"))
          .anyMatch(line -> line.matches("[├└]─ worker1 · thread \\S+ · at HungMain\\..*"));
      JsonObject json = new JsonObject(status("--json"));
      assertThat(json.getJsonArray("workers")).hasSize(3);
      assertThat(json.getJsonArray("silent")).isEmpty();
      Files.createFile(gate);
      assertThat(world.end()).as(world.output()).isZero();
      assertThat(world.output())
          .contains("[worker1] went on true", "[worker2] went on true")
          .doesNotContain(" lost ", "WARNING");
    }
  }

  @Test
  void whereNoWorldIsTheErrorSaysSo() throws Exception {
    try (Running status =
        Commands.jar("tensorbus.jar", "status", "--master-port", port, "--timeout", "1")) {
      assertThat(status.end()).isEqualTo(1);
      assertThat(status.output())
          .isEqualToIgnoringNewLines(
              ("error: rank 0 did not listen at 127.0.0.1:%s within 1 s; start it there, or"
                      + " increase --timeout; the launcher of a world logs its --master-port at the"
                      + " start\n")
                  .formatted(port));
    }
  }
}
