// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.process.ProcessHosts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/// Distributed autograd, the first worker here, each other in a JVM of its own, joined by
/// Hazelcast.
class ProcessAutogradIT {
  private static ProcessHosts hosts;

  @BeforeAll
  static void start() {
    hosts = new ProcessHosts(AutogradContract.WORKERS - 1);
  }

  @AfterAll
  static void stop() {
    hosts.close();
  }

  private static World world(int size) {
    return new World(World.PATIENCE, hosts.hosts().subList(0, size));
  }

  @Nested
  class Contexts extends ContextContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class Forks extends ForkContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class Gradients extends GradientContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class Ends extends PassEndContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }

  @Nested
  class Hybrid extends HybridContract {
    @Override
    World open(int size) {
      return world(size);
    }
  }
}
