// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import dev.tensorbus.rpc.process.ProcessHosts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The first worker here, each other in a JVM of its own, joined by Hazelcast over loopback.
class ProcessRpcIT extends RpcContract {
  private static ProcessHosts hosts;

  @BeforeAll
  static void startHosts() {
    hosts = new ProcessHosts(2);
  }

  @AfterAll
  static void stopHosts() {
    hosts.close();
  }

  @Override
  World open(int size) {
    return new World(World.PATIENCE, hosts.hosts().subList(0, size));
  }
}
