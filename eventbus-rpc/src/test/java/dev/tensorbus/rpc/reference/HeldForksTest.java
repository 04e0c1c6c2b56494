// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.GlobalId;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldForksTest {
  private final HeldForks held = new HeldForks();
  private final GlobalId fork = new GlobalId(1, 1, 7);

  @Test
  void aForkThatReturnsToItsOwnerLeadsToTheObject() {
    assertThat(held.<String>returned(fork, () -> "the object")).isEqualTo("the object");
    assertThat(held.refuseMissing(List.of(fork))).containsExactly(fork);
  }

  @Test
  void aForkThatReturnsToItsOwnerTooLateLooksNothingUp() {
    held.refuseMissing(List.of(fork));
    assertThatThrownBy(
            () ->
                held.returned(
                    fork,
                    () -> {
                      throw new AssertionError("looked up");
                    }))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("after its sender had cancelled the call");
  }
}
