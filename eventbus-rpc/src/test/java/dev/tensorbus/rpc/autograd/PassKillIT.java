// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.process.ProcessHosts;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Processes are killed while a backward pass runs through them. Workers 1 to 3 live in JVMs of
/// their own. An idle machine keeps the second that is promised; what a loaded one took is logged.
@Tag("long")
class PassKillIT {
  private static final System.Logger LOG = System.getLogger(PassKillIT.class.getName());

  private final Tensor x = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});
  private ProcessHosts hosts;
  private World world;
  private Rpc rpc;

  @BeforeEach
  void openWorld() {
    hosts = new ProcessHosts(3);
    world = new World(World.PATIENCE, hosts.hosts());
    rpc = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    world.close();
    hosts.close();
  }

  private long held(int worker, String what) {
    return world.worker(worker).debugInfo().get("autograd." + what);
  }

  private void awaitNothingHeld(int... workers) {
    for (int worker : workers) {
      World.eventually(() -> held(worker, "contexts") == 0);
      assertThat(held(worker, "passes")).isZero();
    }
  }

  @Test
  void aKilledProcessEndsThePassEverywhere() {
    try (var context = DistAutograd.open(rpc)) {
      List<String> route = List.of("worker2", "worker3");
      Tensor y = context.call(() -> rpc.rpcSync("worker1", Graphs::heldUpThrough, route, x));
      Future<Boolean> pass =
          world.onVirtualThread(
              () -> {
                context.backward(y.sum());
                return true;
              });
      rpc.rpcSync("worker3", Graphs::awaitHeldUp);
      long start = System.nanoTime();
      hosts.jvm(1).kill();
      assertThatThrownBy(pass::await).hasMessageContaining("worker2 left");
      World.eventually(() -> held(1, "passes") + held(3, "passes") == 0);
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      LOG.log(System.Logger.Level.INFO, "the pass ended everywhere after {0}", took);
    }
    rpc.rpcSync("worker3", Graphs::letGo);
    awaitNothingHeld(0, 1, 3);
  }

  @Test
  void contextsOfAKilledTrainerEndOnItsServers() {
    rpc.rpcAsync("worker1", Graphs::openAndHoldUp, "worker2");
    rpc.rpcSync("worker1", Graphs::awaitHeldUp);
    assertThat(held(2, "contexts")).isOne();
    hosts.jvm(0).kill();
    awaitNothingHeld(2);
  }

  @Test
  void theOthersGoOnAfterAPassThatADeathHasEnded() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::through, List.of("worker2"), x);
      hosts.jvm(1).kill();
      assertThatThrownBy(() -> context.backward(y.sum())).hasMessageContaining("worker2 left");
    }
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::through, List.of("worker3"), x);
      context.backward(y.sum());
      assertThat(context.gradients().get(x).values()).containsExactly(2, 2, 2);
    }
    awaitNothingHeld(0, 1, 3);
  }
}
