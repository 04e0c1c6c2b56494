// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.Cluster;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application with the logging that a JVM has where nobody sets it up.
final class QuietLogsIT {
  private static final List<String> FLAGS =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  /// Opens a worker and closes it.
  static final class Application {
    public static void main(String[] arguments) {
      Duration patience = Duration.ofMinutes(3);
      Vertx vertx = new Cluster("127.0.0.1", FreePort.find(), true, patience).start();
      Rpc.open(vertx, "alone", RpcOptions.worldSize(1)).await().close();
      vertx.close().await();
      System.out.println("done");
      System.exit(0);
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

  /// The first line is the one in which Netty says which logger it has found.
  @Test
  void anApplicationThatLogsForDebuggingReadsNothingOfNetty(@TempDir Path folder)
      throws IOException, InterruptedException {
    assertThat(linesOf(logging(folder, ".level = FINE")))
        .contains("done")
        .anyMatch(line -> line.startsWith("FINE "))
        .filteredOn(line -> line.contains("io.netty"))
        .hasSizeLessThan(2);
  }

  @Test
  void anApplicationThatAsksForThemReadsTheLinesOfHazelcastAndNetty(@TempDir Path folder)
      throws IOException, InterruptedException {
    assertThat(linesOf(logging(folder, "com.hazelcast.level = ALL", "io.netty.level = ALL")))
        .anyMatch(line -> line.startsWith("FINEST com.hazelcast.") && line.contains("Platform"))
        .anyMatch(line -> line.startsWith("FINEST io.netty.") && line.contains("native"));
  }

  /// A flag that sets up the JDK's logger, all of whose lines are printed that pass its levels.
  private static String logging(Path folder, String... levels) throws IOException {
    List<String> lines = new ArrayList<>(List.of(levels));
    lines.add("handlers = java.util.logging.ConsoleHandler");
    lines.add("java.util.logging.ConsoleHandler.level = ALL");
    lines.add("java.util.logging.SimpleFormatter.format = %4$s %3$s: %5$s%n");
    Path file = Files.write(folder.resolve("logging.properties"), lines);
    return "-Djava.util.logging.config.file=" + file;
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
