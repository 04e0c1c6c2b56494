// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/// The contract's themes, each worker on a Vertx of its own, joined in memory.
class MemoryThemesTest {
  @AutoClose static final MemoryHosts HOSTS = new MemoryHosts();

  @Nested
  class Collectives extends CollectiveContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Scopes extends CallScopeContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class References extends ReferenceContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Values extends ValueContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Calls extends CallContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }

  @Nested
  class Futures extends FutureContract {
    @Override
    World open(int size) {
      return HOSTS.open(size);
    }
  }
}
