// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.rpc.MemoryHosts;
import dev.tensorbus.rpc.World;
import org.junit.jupiter.api.AutoClose;

/// Contexts in a row, all workers in this JVM.
class ManyContextsTest extends ManyContextsContract {
  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  @Override
  World open() {
    return HOSTS.open(WORKERS);
  }
}
