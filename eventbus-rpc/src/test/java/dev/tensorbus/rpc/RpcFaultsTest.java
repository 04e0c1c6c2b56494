// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.FaultyNetwork;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// G5, G13: what a call comes to when its messages do not.
class RpcFaultsTest {
  private static final CallOptions SHORT_LIMIT = CallOptions.timeout(Duration.ofMillis(50));

  private static List<Vertx> hosts;

  private final FaultyNetwork network = new FaultyNetwork(Long.getLong("seed", 1));
  private World world;
  private Rpc first;

  @BeforeAll
  static void startHosts() {
    hosts = Stream.generate(new MemoryCluster()::start).limit(3).toList();
  }

  @AfterAll
  static void stopHosts() {
    hosts.forEach(vertx -> vertx.close().await());
  }

  @BeforeEach
  void openWorld() {
    world = new World(hosts);
    first = world.worker(0);
    for (int rank = 0; rank < hosts.size(); rank++) {
      network.attach("worker" + rank, hosts.get(rank));
    }
  }

  @AfterEach
  void closeWorld() {
    network.close();
    world.close();
  }

  @Test
  void aCallWhoseRequestIsLostHasNotRunButItsErrorCannotKnow() {
    network.suffer(Fault.drop(1).calling("Probe.count"));
    assertThatThrownBy(() -> first.with(SHORT_LIMIT).rpcSync("worker1", Probe::count))
        .isInstanceOfSatisfying(
            RpcTimeoutException.class, error -> assertThat(error.mayHaveRun()).isTrue());
    network.heal();
    assertThat(first.rpcSync("worker1", Probe::count)).isEqualTo(1);
  }

  @Test
  void aCallWhoseAnswerIsLostTimesOutThoughItHasRun() {
    network.suffer(Fault.drop(1).ofKind("response").from("worker1").to("worker0"));
    Calls hurried = first.with(CallOptions.timeout(Duration.ofSeconds(1)));
    Future<Void> lost = hurried.rpcAsync("worker1", Probe::block);
    world.worker(2).rpcSync("worker1", Probe::awaitBlocked);
    world.worker(2).rpcSync("worker1", Probe::unblock);
    assertThatThrownBy(lost::await)
        .isInstanceOfSatisfying(
            RpcTimeoutException.class, error -> assertThat(error.mayHaveRun()).isTrue());
  }

  @Test
  void aRequestThatArrivesTwiceRunsOnce() {
    network.suffer(Fault.duplicate(1));
    for (int count = 1; count <= 20; count++) {
      assertThat(first.rpcSync("worker1", Probe::count)).isEqualTo(count);
    }
  }

  @Test
  void aRepeatedCallIsAnsweredInSpiteOfLossesAndRunsOnce() {
    network.suffer(Fault.drop(0.5));
    Calls insistent = first.with(CallOptions.DEFAULT.withRetry(Duration.ofMillis(5)));
    for (int count = 1; count <= 20; count++) {
      assertThat(insistent.rpcSync("worker1", Probe::count)).isEqualTo(count);
    }
  }

  @Test
  void aCutBetweenTwoDisturbsNobodyElseAndHeals() {
    network.suffer(Fault.cut("worker0", "worker1"));
    assertThatThrownBy(() -> first.with(SHORT_LIMIT).rpcSync("worker1", Probe::where))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(first.rpcSync("worker2", Probe::askBack, "worker1"))
        .isEqualTo("worker1 for worker2");
    network.heal();
    assertThat(first.rpcSync("worker1", Probe::where)).isEqualTo("worker1 for worker0");
  }

  @Test
  void anIsolatedWorkerIsReachedByNobody() {
    network.suffer(Fault.isolate("worker1"));
    for (int rank : List.of(0, 2)) {
      assertThatThrownBy(
              () -> world.worker(rank).with(SHORT_LIMIT).rpcSync("worker1", Probe::where))
          .isInstanceOf(RpcTimeoutException.class);
    }
    assertThat(first.rpcSync("worker2", Probe::where)).isEqualTo("worker2 for worker0");
  }
}
