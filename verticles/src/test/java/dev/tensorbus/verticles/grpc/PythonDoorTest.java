// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.verticles.grpc.server.DoorOptions;
import dev.tensorbus.verticles.grpc.server.DoorOptions.Limits;
import dev.tensorbus.verticles.grpc.server.DoorOptions.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The door as Python's grpcio and docs/grpc's client see it.
class PythonDoorTest {
  private static final int SKIPPED = 77;

  @Test
  void pythonDrivesEveryMethodAndReadsEveryError() throws Exception {
    drive(DoorOptions.onLoopback(0), List.of());
  }

  @Test
  void pythonDoesSoOverTls(@TempDir Path folder) throws Exception {
    Tls tls = Certificates.make(folder);
    drive(DoorOptions.onLoopback(0).with(tls), List.of(tls.certificate().toString()));
  }

  private static void drive(DoorOptions options, List<String> more)
      throws IOException, InterruptedException {
    Limits limits = new Limits(4 << 20, 16 << 20, 0, 100);
    try (TestDoor world = new TestDoor(options.withToken("s3cret").within(limits), 2)) {
      List<String> command = new ArrayList<>();
      command.add("sh");
      command.add("src/test/resources/grpc/door.sh");
      command.add("../docs/grpc");
      command.add(Integer.toString(world.door.port()));
      command.addAll(more);
      Process python = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = python.waitFor();
      assumeTrue(
          code != SKIPPED,
          "no grpcio for /usr/bin/python3, and none from Debian: install python3-grpcio");
      assertThat(output).isEqualTo("python drove the door\n");
      assertThat(code).isZero();
    }
  }
}
