// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ParentWatchTest {
  @Test
  @Timeout(20)
  void aProgramEndsSoonAfterItsLauncherWasKilled() throws Exception {
    Process launcher =
        new ProcessBuilder(Jvm.current().command(FakeLauncher.class.getName(), List.of()))
            .redirectError(Redirect.DISCARD)
            .start();
    try (var output = launcher.inputReader()) {
      assertThat(output.readLine()).isEqualTo("the program runs");
      launcher.toHandle().destroyForcibly();
      long killed = System.nanoTime();
      // Both hold the pipe: it ends when both are gone.
      assertThat(output.readLine()).isNull();
      assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(2));
    }
  }

  /// Starts a program and waits for it, until it is killed.
  static final class FakeLauncher {
    private FakeLauncher() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      new ProcessBuilder(Jvm.current().command(FakeProgram.class.getName(), List.of()))
          .inheritIO()
          .start()
          .waitFor();
    }
  }

  /// Has nothing to do and never ends by itself.
  static final class FakeProgram {
    private FakeProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
      ParentWatch.start();
      System.out.println("the program runs");
      Thread.currentThread().join();
    }
  }
}
