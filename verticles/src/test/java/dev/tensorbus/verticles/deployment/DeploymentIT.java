// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands.Running;
import dev.tensorbus.verticles.deployment.ImageBuild.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The image, built from a clean folder of the tracked files, and the worlds that containers and
/// pods of it are. Neither Docker nor a cluster is needed. Their part is not tried: base images,
/// users, networks, volumes.
@Tag("long")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class DeploymentIT {
  private static final Path CONFIG = Path.of("..", "config");

  /// Without ONNX Runtime, in bytes.
  private static final long MOST = 150_000_000;

  @TempDir private static Path folder;

  private static Image image;

  @BeforeAll
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  static void build() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("..", ".git")), "needs a clone");
    for (String command : List.of("git", "mvn", "sh")) {
      assumeTrue(isThere(command), "needs " + command + " on the PATH");
    }
    ImageBuild build = new ImageBuild(Path.of("..").toRealPath(), folder.toRealPath());
    image = build.run(Dockerfile.read(CONFIG.resolve("docker/Dockerfile")));
  }

  private static boolean isThere(String command) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, command)));
  }

  @Test
  void javaAndTheJarTakeLessThan150Megabytes() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(image.root())) {
      for (Path file : files.toList()) {
        bytes += Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
      }
    }
    System.out.println("Java and the jar take " + bytes / 1_000_000 + " MB");
    assertThat(bytes).isLessThan(MOST);
  }

  @Test
  void theContainersOfComposeTrainToTheEnd() throws Exception {
    trains(ComposeFile.read(CONFIG.resolve("docker/compose.yaml")).services());
  }

  @Test
  void thePodsOfKubernetesTrainToTheEnd() throws Exception {
    trains(Manifests.readAll(CONFIG.resolve("kubernetes")).pods());
  }

  private static void trains(Map<String, Container> containers) throws Exception {
    List<String> hosts = List.copyOf(containers.keySet());
    String ports = FreePort.range(21).toString();
    List<Running> world = new ArrayList<>();
    try {
      for (Container container : containers.values()) {
        world.add(container.start(image, hosts, ports));
      }
      for (Running worker : world) {
        assertThat(worker.end()).as(worker.output()).isZero();
      }
      assertThat(world.stream().map(Running::output).toList().toString())
          .containsPattern("world of 3 is complete: parameter-server, trainer1, trainer2")
          .containsPattern("test accuracy 0\\.9");
    } finally {
      world.forEach(Running::close);
    }
  }
}
