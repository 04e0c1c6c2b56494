// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Debian's Python with the client of docs/grpc.
final class Python {
  private static final String PYTHON = "/usr/bin/python3";
  private static final String FOLDER = "src/test/resources/grpc/";

  private Python() {}

  /// Runs a script of the tests' resources to its good end, with just this as its last word.
  ///
  /// @param modules that it needs; the test is skipped where there are none
  static void run(String modules, String lastWord, String script, List<String> arguments)
      throws IOException, InterruptedException {
    Process python = start(modules, script, arguments);
    String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output).isEqualTo(lastWord + "\n");
    assertThat(python.waitFor()).isZero();
  }

  /// Starts a script of the tests' resources.
  ///
  /// @param modules that it needs; the test is skipped where there are none
  static Process start(String modules, String script, List<String> arguments)
      throws IOException, InterruptedException {
    Process check = shell("have.sh", modules);
    check.getInputStream().transferTo(OutputStream.nullOutputStream());
    assumeTrue(check.waitFor() == 0, PYTHON + " has not all of " + modules);
    List<String> command = new ArrayList<>(List.of(PYTHON, FOLDER + script));
    command.addAll(arguments);
    ProcessBuilder python = new ProcessBuilder(command).redirectErrorStream(true);
    python.environment().put("PYTHONPATH", "../docs/grpc");
    python.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return python.start();
  }

  private static Process shell(String script, String argument) throws IOException {
    return new ProcessBuilder("sh", FOLDER + script, argument).redirectErrorStream(true).start();
  }
}
