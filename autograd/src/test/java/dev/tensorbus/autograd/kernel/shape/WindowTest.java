// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WindowTest {
  @Test
  void aPlainWindowTakesNeighboursAtEveryStep() {
    assertThat(Window.of(9, 3).isPlain(3)).isTrue();
    assertThat(new Window(9, 3, 1, 1, 1).isPlain(3)).as("padded").isTrue();
    assertThat(Window.of(9, 3).isPlain(2)).isFalse();
    assertThat(new Window(9, 3, 2, 0, 1).isPlain(3)).as("with a stride").isFalse();
    assertThat(new Window(9, 3, 1, 0, 2).isPlain(3)).as("dilated").isFalse();
  }
}
