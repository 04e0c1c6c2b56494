// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.rpc.MemoryHosts;
import dev.tensorbus.rpc.World;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/// Distributed autograd, each worker on a Vertx of its own, joined in memory.
class MemoryAutogradTest {
  @AutoClose static final MemoryHosts HOSTS = new MemoryHosts();

  @Nested
  class Contexts extends ContextContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Forks extends ForkContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Gradients extends GradientContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Ends extends PassEndContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Hybrid extends HybridContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }
}
