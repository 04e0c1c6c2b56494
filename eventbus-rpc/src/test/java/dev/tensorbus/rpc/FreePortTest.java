// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortTest {
  /// Others may listen at a port only seconds after it was found.
  @Test
  void aProcessFindsNoPortTwice() {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      found.add(FreePort.find());
      PortRange range = FreePort.range(4);
      for (int port = range.first(); port <= range.last(); port++) {
        found.add(port);
      }
    }
    assertThat(found).doesNotHaveDuplicates();
  }
}
