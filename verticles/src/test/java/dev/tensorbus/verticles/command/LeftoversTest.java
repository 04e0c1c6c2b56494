// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class LeftoversTest {
  /// A worker, until it is killed.
  static final class Worker {
    public static void main(String[] arguments) throws IOException {
      int port = Integer.parseInt(arguments[0]);
      Vertx vertx = new Cluster("127.0.0.1", port, true, Duration.ofSeconds(60)).start();
      Rpc.open(vertx, "alone", RpcOptions.worldSize(1)).await();
      System.out.println("ready");
      System.in.read();
    }
  }

  @Test
  void aWorkerThatIsKilledLeavesNoFile(@TempDir Path temporary)
      throws IOException, InterruptedException {
    List<String> arguments = List.of(Integer.toString(FreePort.find()));
    List<String> command =
        Jvm.current()
            .command(List.of("-Djava.io.tmpdir=" + temporary), Worker.class.getName(), arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var lines = process.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("ready");
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(temporary).isEmptyDirectory();
  }
}
