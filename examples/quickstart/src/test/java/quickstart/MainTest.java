// SPDX-License-Identifier: Apache-2.0
package quickstart;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class MainTest {
  @Test
  @WithWorkers(3)
  void aTrainerLearnsOnAfterAnotherHasDied(MemoryWorld world) {
    var first = CompletableFuture.supplyAsync(() -> Main.train(world.worker(1)));
    var second = CompletableFuture.supplyAsync(() -> Main.train(world.worker(2)));
    world.kill(2);
    assertTrue(first.join() > 0.9);
    assertTrue(second.handle((accuracy, error) -> error != null).join());
  }
}
