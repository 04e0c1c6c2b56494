// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import dev.tensorbus.rpc.wire.BusAddresses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Counter;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// G8: someone on Hazelcast's port can have no object made of a Java object stream.
class HazelcastPortIT {
  private static List<Vertx> hosts;
  private static HazelcastInstance stranger;

  @BeforeAll
  static void joinAsAStranger() {
    hosts = World.cluster(2);
    stranger = Hazelcast.newHazelcastInstance(unfiltered(Cluster.meetingPoint(hosts.getFirst())));
  }

  private static Config unfiltered(InetSocketAddress meetingPoint) {
    Config config = new Config().setClusterName("tensorbus");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.logging.type", "jdk");
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config
        .getNetworkConfig()
        .getJoin()
        .getTcpIpConfig()
        .setEnabled(true)
        .addMember("127.0.0.1:" + meetingPoint.getPort());
    return config;
  }

  @AfterAll
  static void leave() {
    stranger.shutdown();
    hosts.forEach(vertx -> vertx.close().await());
  }

  /// Sets that hold each other: the hash of one is the sum of 2^depth others.
  private static Set<Object> bomb(int depth) {
    Set<Object> set = new HashSet<>();
    if (depth > 0) {
      set.add(bomb(depth - 1));
    }
    return set;
  }

  @Test
  void setsThatHoldEachOtherAreNotRead() {
    assertThat(stranger.getCluster().getMembers()).hasSize(3);
    IMap<String, Object> map = stranger.getMap("bombs");
    map.put("bomb", Collections.unmodifiableSet(bomb(3))); // a class that is in no list of ours
    for (Vertx host : hosts) {
      AsyncMap<String, Object> there =
          host.sharedData().<String, Object>getAsyncMap("bombs").await();
      Future<Object> read = there.get("bomb");
      assertThatThrownBy(read::await)
          .hasStackTraceContaining(
              "Resolving class java.util.Collections$UnmodifiableSet is not allowed");
    }
  }

  @Test
  void whatIsNoEntryOfTheRegisterIsPassedOverAndItsPlaceTaken() {
    IMap<String, Object> register = stranger.getMap(BusAddresses.MEMBERS);
    register.put("rank/0", "{");
    register.put("rank/1", "[]".repeat(1 << 20));
    register.put("rank/2", new byte[] {1});
    register.put("name/worker0", "{\"name\":7}");
    try (World world = new World(hosts)) {
      assertThat(world.worker(0).rpcSync("worker1", Probe::where)).isEqualTo("worker1 for worker0");
    }
    register.delete("rank/2");
  }

  @Test
  void aCounterOfVertxCounts() {
    for (int number = 0; number < 10; number++) { // whose owner is one host or the other
      String name = "counter" + number;
      for (Vertx host : hosts) {
        Counter counter = host.sharedData().getCounter(name).await();
        counter.addAndGet(5).await();
      }
      assertThat(hosts.getFirst().sharedData().getCounter(name).await().get().await())
          .isEqualTo(10);
    }
  }
}
