// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.process.ProcessHosts;
import org.junit.jupiter.api.AutoClose;

/// Contexts in a row, each worker in a JVM of its own.
class ManyContextsIT extends ManyContextsContract {
  @AutoClose private static final ProcessHosts HOSTS = new ProcessHosts(WORKERS - 1);

  @Override
  World open() {
    return new World(World.PATIENCE, HOSTS.hosts());
  }
}
