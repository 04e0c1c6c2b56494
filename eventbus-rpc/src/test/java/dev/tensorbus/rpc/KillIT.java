// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.process.ProcessHosts;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G12: death is seen. Workers 1 and 2 live in JVMs of their own, which are killed and frozen.
@Tag("long")
class KillIT {
  private static final System.Logger LOG = System.getLogger(KillIT.class.getName());

  private ProcessHosts hosts;
  private World world;
  private Rpc first;
  private Rpc third;

  @BeforeEach
  void openWorld() {
    openWorld(World.SILENCE);
  }

  private void openWorld(Duration silence) {
    hosts = new ProcessHosts(2, true, silence);
    world = new World(World.PATIENCE, hosts.hosts());
    first = world.worker(0);
    third = world.worker(2);
  }

  @AfterEach
  void closeWorld() {
    world.close();
    hosts.close();
  }

  private static void requireLost(Future<?> call, String caller) {
    long start = System.nanoTime();
    assertThatThrownBy(call::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessageMatching(
            "worker1 (left|was silent for the heartbeat timeout) while "
                + caller
                + " waited for Probe.block; the method may have run");
    Duration waited = Duration.ofNanos(System.nanoTime() - start);
    LOG.log(System.Logger.Level.INFO, "{0} heard of the death after {1}", caller, waited);
  }

  @Test
  void callsToAKilledProcessFailAtOnceOnEveryWorker() {
    List<Future<Void>> blocked =
        List.of(first.rpcAsync("worker1", Probe::block), third.rpcAsync("worker1", Probe::block));
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == 2);
    hosts.jvm(0).kill();
    requireLost(blocked.get(0), "worker0");
    requireLost(blocked.get(1), "worker2");
    assertThatThrownBy(() -> third.rpcSync("worker1", Probe::where))
        .hasMessage("no worker \"worker1\"; known workers: worker0, worker2");
  }

  @Test
  void aCallToAKilledProcessGoesOnToAnotherWorker() {
    Future<String> answer =
        first
            .rpcAsync("worker1", Probe::block)
            .map("")
            .recover(lost -> Future.succeededFuture(first.rpcSync("worker2", Probe::where)));
    first.rpcSync("worker1", Probe::awaitBlocked);
    hosts.jvm(0).kill();
    assertThat(World.await(answer)).isEqualTo("worker2 for worker0");
  }

  @Test
  void referencesOfAKilledProcessFailAtOnceAndItsForksAreDropped() {
    RRef<Probe> lost = first.remote("worker1", Probe::new, 1);
    lost.created().await();
    RRef<Tensor> mine = first.rref(Tensor.of(1));
    first.rpcSync("worker1", Probe::hold, mine);
    assertThat(first.debugInfo()).containsEntry("rref.owned", 1L);
    hosts.jvm(0).kill();
    World.eventually(() -> first.debugInfo().get("rref.owned") == 0);
    assertThatThrownBy(() -> lost.rpcSync(Probe::plus, 1))
        .isInstanceOf(NoSuchWorkerException.class);
    assertThatThrownBy(lost::toHere).isInstanceOf(NoSuchWorkerException.class);
  }

  @Test
  void theOthersGoOnAndShutDownWithoutAKilledProcess() {
    hosts.jvm(0).kill();
    assertThat(first.rpcSync("worker2", Probe::where)).isEqualTo("worker2 for worker0");
    assertThat(third.rpcSync("worker0", Probe::where)).isEqualTo("worker0 for worker2");
    Future.all(first.shutdown(), third.shutdown()).await();
  }

  @Test
  void aFrozenProcessIsDeadWhenItsHeartbeatIsOverdue() {
    closeWorld();
    openWorld(Duration.ofSeconds(5));
    Future<Void> blocked = first.rpcAsync("worker1", Probe::block);
    first.rpcSync("worker1", Probe::awaitBlocked);
    hosts.jvm(0).freeze();
    requireLost(blocked, "worker0");
    World.eventually(() -> third.workers().size() == 2);
    hosts.jvm(0).thaw();
    assertThat(first.rpcSync("worker2", Probe::where)).isEqualTo("worker2 for worker0");
    Future.all(first.shutdown(), third.shutdown()).await();
    hosts.jvm(0).kill();
  }

  @Test
  void aShortFreezeIsNoDeath() {
    hosts.jvm(0).freeze();
    Future<Integer> sum = first.rpcAsync("worker1", Probe::sum, 1, 2);
    Calls hurried = first.with(CallOptions.timeout(Duration.ofMillis(300)));
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::where))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(sum.isComplete()).isFalse();
    hosts.jvm(0).thaw();
    assertThat(sum.await()).isEqualTo(3);
  }
}
