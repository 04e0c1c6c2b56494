// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.rpc.World;
import io.vertx.core.Vertx;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/// Distributed autograd, all workers on one Vertx, which hand each other every tensor.
class LocalAutogradTest {
  private static Vertx vertx;

  @BeforeAll
  static void start() {
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() {
    vertx.close().await();
  }

  private static World world(int size) {
    World.Host host = World.Host.ofLargeTensors(vertx);
    return new World(World.PATIENCE, Collections.nCopies(size, host));
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
}
