// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// G15: workers join, leave and are replaced, the first one too, and the others go on.
class DynamicGroupTest {
  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Vertx> hosts = new ArrayList<>();

  private Rpc join(String name, RpcOptions options) {
    hosts.add(cluster.start());
    RpcOptions patient = options.withTimeout(World.CALL_TIME).withHeartbeatTimeout(World.SILENCE);
    return Rpc.init(hosts.getLast(), name, patient);
  }

  @AfterEach
  void stopHosts() {
    Future.join(hosts.stream().map(Vertx::close).toList()).otherwiseEmpty().await();
  }

  @Test
  void aNewcomerIsKnownToAllWhenItHasJoined() {
    Rpc first = join("a", RpcOptions.dynamic(0));
    Rpc second = join("b", RpcOptions.dynamic(1));
    Rpc third = join("c", RpcOptions.dynamic(7));
    for (Rpc rpc : List.of(first, second, third)) {
      assertThat(rpc.workers())
          .containsExactly(new WorkerInfo("a", 0), new WorkerInfo("b", 1), new WorkerInfo("c", 7));
      assertThat(rpc.worldSize()).isZero();
    }
    assertThat(first.rpcSync("c", Probe::where)).isEqualTo("c for a");
    assertThat(third.rpcSync("a", Probe::where)).isEqualTo("a for c");
  }

  @Test
  void listenersHearOfNewcomersAndLeavers() {
    Rpc first = join("a", RpcOptions.dynamic(0));
    List<String> heard = new CopyOnWriteArrayList<>();
    first.onWorkerJoined(worker -> heard.add("+" + worker));
    first.onWorkerLost(worker -> heard.add("-" + worker));
    join("b", RpcOptions.dynamic(1)).leave().await();
    World.eventually(() -> heard.equals(List.of("+b", "-b")));
  }

  @Test
  void aWorkerIsAwaitedByName() {
    Rpc first = join("a", RpcOptions.dynamic(0));
    Future<WorkerInfo> late = first.awaitWorker("b", World.PATIENCE);
    join("b", RpcOptions.dynamic(1));
    assertThat(late.await()).isEqualTo(new WorkerInfo("b", 1));
    assertThatThrownBy(() -> first.awaitWorker("c", Duration.ofMillis(50)).await())
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("worker \"c\" did not join within PT0.05S; known workers: a, b");
  }

  @Test
  void theFirstWorkerMayDieAndBeReplaced() {
    Rpc first = join("a", RpcOptions.dynamic(0));
    Rpc second = join("b", RpcOptions.dynamic(1));
    RRef<Probe> lost = second.remote("a", Probe::new, 1);
    lost.created().await();
    cluster.kill(hosts.getFirst()).await();
    World.eventually(() -> second.workers().size() == 1);
    assertThatThrownBy(() -> second.rpcSync("a", Probe::where))
        .hasMessage("no worker \"a\"; known workers: b");
    Rpc replacement = join("a", RpcOptions.dynamic(0));
    assertThat(second.rpcSync("a", Probe::where)).isEqualTo("a for b");
    assertThat(replacement.rpcSync("b", Probe::where)).isEqualTo("b for a");
    assertThatThrownBy(() -> lost.rpcSync(Probe::plus, 1))
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage(
            "a, which owned the object that Probe.plus is for, has left; another worker now has its"
                + " name");
    assertThat(first.self()).isEqualTo(replacement.self());
  }

  @Test
  void referencesOfAReplacementAreNotTakenForThoseOfItsPredecessor() {
    Rpc first = join("a", RpcOptions.dynamic(0));
    join("b", RpcOptions.dynamic(1));
    RRef<Probe> before = first.remote("b", Probe::new, 1);
    before.created().await();
    before.close();
    cluster.kill(hosts.getFirst()).await();
    Rpc replacement = join("a", RpcOptions.dynamic(0));
    assertThat(replacement.remote("b", Probe::new, 2).rpcSync(Probe::plus, 1)).isEqualTo(3);
  }

  @Test
  void aStaticWorldTakesAReplacementToo() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      world.kill(0);
      World.eventually(() -> world.worker(1).workers().size() == 2);
      Rpc replacement = world.replace(0, RpcOptions.worldSize(3));
      replacement.ready().await();
      assertThat(world.worker(2).rpcSync("worker0", Probe::where)).isEqualTo("worker0 for worker2");
      Future.all(replacement.shutdown(), world.worker(1).shutdown(), world.worker(2).shutdown())
          .await();
    }
  }

  @Test
  void aDynamicMemberOfAStaticWorldIsRefused() {
    try (MemoryWorld world = new MemoryWorld(2)) {
      assertThatThrownBy(() -> world.replace(1, RpcOptions.dynamic(5)))
          .isInstanceOf(RendezvousException.class);
    }
  }

  @Test
  void shutdownOfADynamicMemberWaitsForItsOwnCallsOnly() {
    Rpc first = join("a", RpcOptions.dynamic(0));
    Rpc second = join("b", RpcOptions.dynamic(1));
    Future<Integer> call = first.rpcAsync("b", Probe::later, 1);
    first.shutdown().await();
    assertThat(call.await()).isEqualTo(2);
    assertThat(second.workers()).containsExactly(new WorkerInfo("b", 1));
    second.shutdown().await();
  }
}
