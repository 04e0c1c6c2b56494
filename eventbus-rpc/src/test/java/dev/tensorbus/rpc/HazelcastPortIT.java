// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.multimap.MultiMap;
import dev.tensorbus.rpc.wire.BusAddresses;
import dev.tensorbus.rpc.world.hazelcast.MemberConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Counter;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// G8: someone on Hazelcast's port is no client, and can have no object made of a Java object
/// stream.
class HazelcastPortIT {
  private static List<Vertx> hosts;
  private static HazelcastInstance stranger;

  @BeforeAll
  static void joinAsAStranger() {
    hosts = openCluster();
    stranger = Hazelcast.newHazelcastInstance(unfiltered(Cluster.meetingPoint(hosts.getFirst())));
  }

  /// A world in which the stranger is trusted with joining.
  private static List<Vertx> openCluster() {
    int port = FreePort.find();
    return Stream.of(true, false)
        .map(isMaster -> World.meetingAt(port, isMaster).withTrustedNetwork(true).start())
        .toList();
  }

  private static Config unfiltered(InetSocketAddress meetingPoint) {
    Config config = new Config().setClusterName("tensorbus");
    config.setProperty("hazelcast.partition.count", Integer.toString(MemberConfig.PARTITIONS));
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
  void aHazelcastClientIsCutOffBeforeItIsHeard() throws IOException {
    InetSocketAddress port = Cluster.meetingPoint(hosts.getFirst());
    try (Socket client = new Socket(port.getAddress(), port.getPort())) {
      client.setSoTimeout((int) World.PATIENCE.toMillis());
      client.getOutputStream().write("CB2".getBytes(StandardCharsets.US_ASCII));
      assertThat(isClosed(client)).isTrue();
    }
  }

  private static boolean isClosed(Socket client) throws IOException {
    try {
      client.getInputStream().readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) { // it was reset
      return true;
    }
  }

  @Test
  void aMemberThatIsShutDownUnaskedEvictsItsWorkers() {
    List<Vertx> pair = World.cluster(2);
    try (World world = new World(pair)) {
      Rpc evicted = world.worker(1);
      Future<Void> blocked = evicted.rpcAsync("worker0", Probe::block);
      evicted.rpcSync("worker0", Probe::awaitBlocked);
      member(pair.get(1)).shutdown();
      for (ThrowingCallable operation :
          List.<ThrowingCallable>of(
              blocked::await,
              () -> evicted.rpcSync("worker0", Probe::where),
              () -> evicted.ready().await(),
              evicted::barrier,
              () -> evicted.shutdown().await())) {
        assertThatThrownBy(operation)
            .isInstanceOf(EvictedException.class)
            .hasMessage(
                "worker1 was evicted from its world: its member of the cluster was shut down;"
                    + " restart it");
      }
    } finally {
      Future.join(pair.stream().map(Vertx::close).toList()).await();
    }
  }

  private static HazelcastInstance member(Vertx host) {
    return ((HazelcastClusterManager) ((VertxInternal) host).clusterManager())
        .getHazelcastInstance();
  }

  @Test
  void whatDeadNodesHaveRegisteredIsRemovedAlsoIfTheOldestDiesWithAnother() {
    List<Vertx> four = World.cluster(4);
    try {
      four.forEach(host -> host.eventBus().consumer("everywhere", _ -> {}).completion().await());
      Stream.of(0, 3)
          .map(four::get)
          .forEach(host -> member(host).getLifecycleService().terminate());
      Vertx survivor = four.get(1);
      World.eventually(() -> registrations(survivor, "everywhere").size() == 2);
      assertThat(registrations(survivor, "everywhere"))
          .extracting(RegistrationInfo::nodeId)
          .containsExactlyInAnyOrder(nodeId(survivor), nodeId(four.get(2)));
    } finally {
      Future.join(four.stream().map(Vertx::close).toList()).await();
    }
  }

  private static String nodeId(Vertx host) {
    return ((VertxInternal) host).clusterManager().getNodeId();
  }

  private static List<RegistrationInfo> registrations(Vertx host, String address) {
    Promise<List<RegistrationInfo>> found = Promise.promise();
    ((VertxInternal) host).clusterManager().getRegistrations(address, found);
    return found.future().await();
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

  /// The member that puts them has Hazelcast's own configuration.
  @Test
  void valuesThatNameAClassMakeNoObjectAndKeepNobodyFromReadingTheRest() {
    IMap<String, Object> register = stranger.getMap(BusAddresses.MEMBERS);
    register.put("rank/0", Gadget.toSend());
    register.put("name/worker1", Gadget.toSend());
    register.put("rank/7", Gadget.toSend());
    AsyncMap<String, Object> vertxs =
        hosts.getFirst().sharedData().<String, Object>getAsyncMap(BusAddresses.MEMBERS).await();
    vertxs.put("rank/8", Buffer.buffer("Vert.x names its class")).await();
    register.put("rank/9", new Plain("by reflection"));
    IMap<Object, Object> worlds = stranger.getMap("tensorbus.worlds");
    worlds.put("other", Gadget.toSend());
    MultiMap<String, Object> subscriptions = stranger.getMultiMap("__vertx.subs");
    subscriptions.put("somebody", Gadget.toSend());
    try (World world = new World(hosts)) {
      assertThat(world.worker(0).rpcSync("worker1", Probe::where)).isEqualTo("worker1 for worker0");
      assertThatThrownBy(() -> registrations(hosts.getFirst(), "somebody"))
          .hasStackTraceContaining(Gadget.class.getName());
    }
    assertThat(Gadget.MADE).hasValue(0);
    for (int rank = 7; rank < 10; rank++) {
      register.delete("rank/" + rank);
    }
    worlds.delete("other");
    subscriptions.delete("somebody");
  }

  /// Hazelcast writes and reads it by reflection.
  private record Plain(String text) {}

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
