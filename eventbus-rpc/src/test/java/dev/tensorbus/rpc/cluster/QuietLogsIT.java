// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An application with the logging that a JVM has where nobody sets it up.
final class QuietLogsIT {
  private static final List<String> FLAGS =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  /// Opens a worker and closes it.
  static final class Application {
    public static void main(String[] arguments) throws IOException {
      Duration patience = Duration.ofSeconds(60);
      Vertx vertx = new Cluster("127.0.0.1", freePort(), true, patience).start();
      Rpc.open(vertx, "alone", RpcOptions.worldSize(1)).await().close();
      vertx.close().await();
      System.out.println("done");
      System.exit(0);
    }

    private static int freePort() throws IOException {
      try (ServerSocket socket = new ServerSocket(0)) {
        return socket.getLocalPort();
      }
    }
  }

  @Test
  void anApplicationThatSetsNothingUpReadsNothingOfHazelcastAndNetty()
      throws IOException, InterruptedException {
    assertThat(linesOf())
        .endsWith("done")
        .hasSizeLessThan(4) // ours says in two that the world is complete
        .noneMatch(line -> line.contains("hazelcast") || line.contains("netty"));
  }

  @Test
  void hazelcastsOwnLogsAreThereForOneWhoChoosesThem() throws IOException, InterruptedException {
    assertThat(linesOf("-Dhazelcast.logging.type=jdk"))
        .contains("done")
        .anyMatch(line -> line.contains("Hazelcast Platform"));
  }

  private static List<String> linesOf(String... flags) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Application.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.lines().toList();
  }
}
