// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Lock;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.NodeListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryClusterTest {
  private final MemoryCluster cluster = new MemoryCluster();
  private final Vertx first = cluster.start();
  private final Vertx second = cluster.start();

  @AfterEach
  void stop() {
    first.close().await();
    second.close().await();
  }

  private static ClusterManager manager(Vertx vertx) {
    return ((VertxInternal) vertx).clusterManager();
  }

  private static void echo(Vertx vertx, String address) {
    vertx
        .eventBus()
        .consumer(address, message -> message.reply(message.body()))
        .completion()
        .await();
  }

  private static Object ask(Vertx vertx, String address) {
    return vertx.eventBus().request(address, "hello").await().body();
  }

  private static boolean cannotAsk(Vertx vertx, String address) {
    return vertx.eventBus().request(address, "hello").map(false).otherwise(true).await();
  }

  @Test
  void aMessageReachesTheOtherNode() {
    echo(second, "echo");
    assertThat(ask(first, "echo")).isEqualTo("hello");
  }

  @Test
  void twoClustersDoNotKnowEachOther() {
    Vertx stranger = new MemoryCluster().start();
    echo(stranger, "echo");
    assertThatThrownBy(() -> ask(first, "echo")).hasMessageContaining("No handlers");
    assertThatThrownBy(() -> cluster.kill(stranger))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("this Vertx is not a node of the cluster");
    stranger.close().await();
  }

  @Test
  void nodesHearWhoComesAndGoes() {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    manager(first)
        .nodeListener(
            new NodeListener() {
              @Override
              public void nodeAdded(String node) {
                heard.add("+" + node);
              }

              @Override
              public void nodeLeft(String node) {
                heard.add("-" + node);
              }
            });
    Vertx closed = cluster.start();
    closed.close().await();
    Vertx killed = cluster.start();
    cluster.kill(killed).await();
    World.eventually(() -> heard.size() == 4);
    String one = manager(closed).getNodeId();
    String other = manager(killed).getNodeId();
    assertThat(heard).containsExactly("+" + one, "-" + one, "+" + other, "-" + other);
    assertThat(manager(first).getNodes())
        .containsExactly(manager(first).getNodeId(), manager(second).getNodeId());
  }

  @Test
  void aKilledNodeIsNotFoundAndReachesNobody() {
    echo(second, "echo");
    assertThat(ask(first, "echo")).isEqualTo("hello");
    AsyncMap<String, String> map = second.sharedData().<String, String>getAsyncMap("map").await();
    cluster.kill(second).await();
    World.eventually(() -> cannotAsk(first, "echo"));
    assertThatThrownBy(() -> map.get("key").await()).isNotNull();
    assertThatThrownBy(() -> cluster.kill(second)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nodesShareMaps() {
    AsyncMap<String, Integer> here = first.sharedData().<String, Integer>getAsyncMap("m").await();
    AsyncMap<String, Integer> there = second.sharedData().<String, Integer>getAsyncMap("m").await();
    here.put("a", 1).await();
    assertThat(there.putIfAbsent("a", 2).await()).isEqualTo(1);
    assertThat(there.replaceIfPresent("a", 1, 3).await()).isTrue();
    assertThat(here.get("a").await()).isEqualTo(3);
    assertThat(here.removeIfPresent("a", 1).await()).isFalse();
    assertThat(here.entries().await()).isEqualTo(Map.of("a", 3));
    assertThat(there.replace("a", 4).await()).isEqualTo(3);
    assertThat(there.keys().await()).isEqualTo(Set.of("a"));
    assertThat(there.values().await()).containsExactly(4);
    assertThat(there.remove("a").await()).isEqualTo(4);
    assertThat(here.size().await()).isZero();
  }

  @Test
  void anEntryEndsAfterItsTime() {
    AsyncMap<String, Integer> map = first.sharedData().<String, Integer>getAsyncMap("m").await();
    map.put("a", 1, 1).await();
    map.putIfAbsent("b", 1, 1).await();
    World.eventually(() -> map.size().await() == 0);
  }

  /// Netty refuses an answer that comes later with "event executor terminated".
  @Test
  void whatANodeAskedIsAnsweredBeforeItsEventLoopsEnd() {
    for (int round = 0; round < 20; round++) {
      Vertx leaving = cluster.start();
      AsyncMap<String, Integer> map =
          leaving.sharedData().<String, Integer>getAsyncMap("m").await();
      List<Future<Integer>> answers = Stream.generate(() -> map.get("a")).limit(50).toList();
      leaving.close().await();
      answers.forEach(answer -> World.eventually(answer::isComplete));
      assertThatThrownBy(() -> map.get("a").await()).hasMessageContaining("has left the cluster");
    }
  }

  @Test
  void nodesShareCounters() {
    first.sharedData().getCounter("c").await().addAndGet(5).await();
    assertThat(second.sharedData().getCounter("c").await().incrementAndGet().await()).isEqualTo(6);
  }

  @Test
  void aLockHasOneHolderUntilItIsReleasedOrItsNodeLeaves() {
    Lock lock = first.sharedData().getLock("l").await();
    assertThatThrownBy(() -> second.sharedData().getLockWithTimeout("l", 1).await())
        .hasMessage("lock \"l\" is taken for 1 ms");
    lock.release();
    lock.release();
    assertThat(second.sharedData().getLock("l").await()).isNotNull();
    cluster.kill(second).await();
    assertThat(first.sharedData().getLock("l").await()).isNotNull();
  }
}
