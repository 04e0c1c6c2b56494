// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.application;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LauncherTest {
  private static void run(Class<?> main, int workers) {
    Launcher.run(
        main,
        new String[0],
        workers,
        rpc -> {
          throw new AssertionError("nothing is to start");
        });
  }

  @Test
  void aClassWithoutAMainIsRefused() {
    assertThatThrownBy(() -> run(LauncherTest.class, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "%s has no main(String[]); pass the class whose main calls Launcher.run",
            LauncherTest.class.getName());
  }

  @Test
  void aWorldWithoutWorkersIsRefused() {
    assertThatThrownBy(() -> run(SpawningMain.class, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0 workers; expected at least 1");
  }
}
