// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CollectivesTest {
  @AutoClose static final MemoryHosts HOSTS = new MemoryHosts();

  private static RpcOptions member(int rank) {
    return patient(RpcOptions.dynamic(rank));
  }

  private static RpcOptions patient(RpcOptions options) {
    return options.withTimeout(World.CALL_TIME).withHeartbeatTimeout(World.SILENCE);
  }

  /// In torch the tenth round of worker0 and worker1 has the key of worker0's and worker11's
  /// first.
  @Test
  void groupsWhoseNamesRunTogetherDoNotMix() {
    try (World world = HOSTS.open(12)) {
      List<String> one = List.of("worker0", "worker1");
      List<String> other = List.of("worker0", "worker11");
      for (int round = 0; round < 11; round++) {
        Future.all(world.worker(0).barrierAsync(one), world.worker(1).barrierAsync(one)).await();
      }
      Future<Map<String, Integer>> gathered = world.worker(0).allGatherAsync(other, 1);
      world.worker(11).allGatherAsync(other, 2).await();
      assertThat(gathered.await()).isEqualTo(Map.of("worker0", 1, "worker11", 2));
    }
  }

  @Test
  void aMemberThatIsKilledFailsTheRoundAtOnce() {
    Vertx doomed = HOSTS.start();
    Vertx host = HOSTS.start();
    Rpc first = Rpc.open(host, "a", member(0)).await();
    Rpc second = Rpc.open(host, "b", member(1)).await();
    Rpc.open(doomed, "c", member(2)).await();
    List<String> all = List.of("a", "b", "c");
    Future<Void> waiting = second.barrierAsync(all);
    HOSTS.kill(doomed);
    assertThatThrownBy(() -> first.barrierAsync(all).await())
        .isInstanceOf(NoSuchWorkerException.class);
    assertThatThrownBy(waiting::await).isInstanceOf(NoSuchWorkerException.class);
    Future.all(first.leave(), second.leave()).await();
    host.close().await();
  }

  @Test
  void roundsThatBeginBeforeAllHaveComeKeepTheirOrder() {
    Vertx host = HOSTS.start();
    RpcOptions options = patient(RpcOptions.worldSize(2));
    Rpc first = Rpc.open(host, "a", options).await();
    List<Future<Map<String, Integer>>> early = rounds(first);
    Rpc second = Rpc.open(host, "b", options.withRank(1)).await();
    second.ready().await();
    rounds(second);
    for (int round = 0; round < early.size(); round++) {
      assertThat(World.await(early.get(round))).isEqualTo(Map.of("a", round, "b", round));
    }
    Future.all(first.leave(), second.leave()).await();
    host.close().await();
  }

  private static List<Future<Map<String, Integer>>> rounds(Rpc rpc) {
    return IntStream.range(0, 50).mapToObj(round -> rpc.allGatherAsync(round)).toList();
  }

  @Test
  void inADynamicGroupEverybodyIsWhoIsKnown() {
    Vertx host = HOSTS.start();
    Rpc first = Rpc.open(host, "a", member(0)).await();
    assertThat(first.allGatherAsync(1).await()).isEqualTo(Map.of("a", 1));
    Rpc second = Rpc.open(host, "b", member(1)).await();
    Future<Map<String, Integer>> gathered = first.allGatherAsync(2);
    assertThat(second.allGatherAsync(3).await()).isEqualTo(Map.of("a", 2, "b", 3));
    assertThat(gathered.await()).isEqualTo(Map.of("a", 2, "b", 3));
    second.leave().await();
    World.eventually(() -> first.workers().size() == 1);
    first.barrierAsync().await();
    first.leave().await();
    host.close().await();
  }

  @Test
  void aTimeLimitIsPositive() {
    try (World world = HOSTS.open(1)) {
      assertThatThrownBy(
              () -> world.worker(0).barrierAsync(List.of("worker0"), Duration.ZERO).await())
          .hasMessageStartingWith("timeout PT0S must be positive");
    }
  }
}
