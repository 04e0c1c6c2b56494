// SPDX-License-Identifier: Apache-2.0
package quickstart;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import org.junit.jupiter.api.Test;

final class MainTest {
  @Test
  @WithWorkers(3)
  void aTrainerLearnsOnAfterAnotherHasDied(MemoryWorld world) throws InterruptedException {
    var first = world.submit(1, Main::train);
    var second = world.submit(2, Main::train);
    world.awaitSteps(2, 20);
    world.kill(2);
    assertTrue(first.await() > 0.9);
    assertTrue(second.map(false).otherwise(true).await());
  }
}
