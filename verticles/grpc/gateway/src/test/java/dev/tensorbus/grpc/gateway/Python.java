// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Debian's Python with the client of docs/grpc.
final class Python {
  private static final String PYTHON = "/usr/bin/python3";
  private static final String FOLDER = "src/test/resources/grpc/";

  private Python() {}

  /// Whether the modules that the client needs are there. Looked for once, since that may take a
  /// while.
  private static final class Client {
    static final boolean IS_THERE = succeeds("sh", FOLDER + "install.sh");
  }

  /// Runs a script of the tests' resources to its good end, with just this as its last word.
  static void run(String lastWord, String script, List<String> arguments)
      throws IOException, InterruptedException {
    Process python = start(script, arguments);
    String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output).isEqualTo(lastWord + "\n");
    assertThat(python.waitFor()).isZero();
  }

  /// Starts a script of the tests' resources; the test is skipped where there is no grpcio.
  static Process start(String script, List<String> arguments) throws IOException {
    assumeTrue(
        Client.IS_THERE,
        "no grpcio for /usr/bin/python3, and none from Debian: install python3-grpcio");
    List<String> command = new ArrayList<>(List.of(PYTHON, FOLDER + script));
    command.addAll(arguments);
    ProcessBuilder python = new ProcessBuilder(command).redirectErrorStream(true);
    python.environment().put("PYTHONPATH", "../../../docs/grpc");
    python.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return python.start();
  }

  /// Skips the test where there is no PyTorch.
  static void assumeTorch() {
    assumeTrue(
        succeeds(PYTHON, "-c", "import torch"),
        "no torch for /usr/bin/python3: install python3-torch");
  }

  private static boolean succeeds(String... command) {
    ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
    try {
      return process.redirectOutput(Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
