// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The `tensorbus` script in a folder of its own, where Maven and Java are played by a shell.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs sh")
class BuildLockTest {
  private static final String MAVEN =
      "mkdir -p verticles/target && touch verticles/target/tensorbus.jar";

  @TempDir private Path home;

  private Path lock;

  @BeforeEach
  void makeHome() throws IOException {
    lock = home.resolve(".building");
    Files.copy(Path.of("..", "tensorbus"), home.resolve("tensorbus"));
    Files.createFile(home.resolve("pom.xml"));
    for (String folder : new String[] {"bin", "config", "verticles/src"}) {
      Files.createDirectories(home.resolve(folder));
    }
    Files.createFile(home.resolve("verticles/pom.xml"));
    play("java", "echo \"runs $*\"");
    play("mvn", MAVEN);
  }

  private void play(String command, String script) throws IOException {
    Path file = home.resolve("bin").resolve(command);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private String run() throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", home.resolve("tensorbus").toString(), "train")
            .directory(home.toFile())
            .redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", home.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  @Test
  void aLockWhoseHolderWasKilledIsRemoved() throws IOException, InterruptedException {
    Process killed = new ProcessBuilder("sh", "-c", "exit 0").start();
    killed.waitFor();
    Files.createDirectory(lock);
    Files.writeString(lock.resolve("pid"), killed.pid() + "\n");
    assertThat(run()).contains("tensorbus: building", "runs -jar ").doesNotContain("waiting");
    assertThat(lock).doesNotExist();
  }

  @Test
  void soIsOneWhoseHolderWasKilledBeforeItSaidWhoItIs() throws IOException, InterruptedException {
    Files.createDirectory(lock);
    Instant before = Instant.now().minus(Duration.ofMinutes(5));
    Files.setLastModifiedTime(lock, FileTime.from(before));
    assertThat(run()).contains("runs -jar ").doesNotContain("waiting");
    assertThat(lock).doesNotExist();
  }

  @Test
  void aBuildSaysWhatItDoesInPlainLines() throws IOException, InterruptedException {
    play(
        "mvn",
        """
        cat <<'END'
        [INFO] Scanning for projects...
        [INFO] Building Tensorbus 0.1.0-SNAPSHOT                      [1/10]
        [INFO] Downloaded from central: https://a.b/c/hazelcast-5.3.8.jar (11 MB at 3.2 MB/s)
        [INFO] Downloaded from central: https://a.b/c/small-1.jar (11 kB at 3.2 kB/s)
        [INFO] Building Tensorbus :: autograd 0.1.0-SNAPSHOT          [2/10]
        [INFO] Building jar: /home/me/tensorbus/a.jar
        END
        """
            + MAVEN);
    assertThat(run())
        .isEqualTo(
            """
            tensorbus: building, which takes two to three minutes the first time
            tensorbus: building Tensorbus [1/10]
            tensorbus: downloaded hazelcast-5.3.8.jar (11 MB)
            tensorbus: building Tensorbus :: autograd [2/10]
            runs -jar %s train
            """
                .formatted(home.resolve("verticles/target/tensorbus.jar")));
  }

  @Test
  void aBuildThatFailsLeavesNeitherLockNorJar() throws IOException, InterruptedException {
    play("mvn", "printf '\\033[0m\\033[0m[ERROR] a reason\\n'; " + MAVEN + "; exit 1");
    assertThat(run())
        .contains("[ERROR] a reason\nerror: the build failed; ", "/target/build.log has all")
        .doesNotContain("runs", "\033");
    assertThat(lock).doesNotExist();
    assertThat(home.resolve("verticles/target/tensorbus.jar")).doesNotExist();
  }
}
