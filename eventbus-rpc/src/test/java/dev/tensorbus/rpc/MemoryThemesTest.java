// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The contract's themes, each worker on a Vertx of its own, joined in memory.
class MemoryThemesTest {
  @RegisterExtension static final MemoryHosts HOSTS = new MemoryHosts();

  @Nested
  class Collectives extends CollectiveContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }
}
