// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.util.Clock;
import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.world.hazelcast.MonotonicClock;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.spi.cluster.NodeInfo;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ClusterTest {
  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"},
      disabledReason = "the library of Netty's epoll is there for Linux only")
  void connectionsAreAwaitedByNettysEpollOnLinux() {
    Cluster cluster = new Cluster("127.0.0.1", 29_500, true, Duration.ofSeconds(1));
    Vertx vertx = Vertx.builder().with(cluster.configure(Cluster.options())).build();
    assertThat(vertx.isNativeTransportEnabled()).isTrue();
    vertx.close().await();
  }

  @Test
  void hazelcastGoesByAMonotonicClock() throws ReflectiveOperationException {
    new Cluster("127.0.0.1", 29_500, false, Duration.ofSeconds(1)).manager();
    Field clock = Clock.class.getDeclaredField("CLOCK");
    clock.setAccessible(true);
    assertThat(clock.get(null)).isInstanceOf(MonotonicClock.class);
  }

  /// Hazelcast looks for another cluster to merge with for the first time after 68 years.
  @Test
  void twoWorldsAreNeverMerged() {
    Cluster cluster = new Cluster("127.0.0.1", 29_500, false, Duration.ofSeconds(1));
    Config config = cluster.manager().getConfig();
    for (String run : List.of("first", "next")) {
      assertThat(config.getProperty("hazelcast.merge." + run + ".run.delay.seconds"))
          .isEqualTo("2147483647");
    }
  }

  @Test
  void aProcessListensOnlyOnLoopbackAddressesUnlessTheNetworkIsTrusted() {
    Cluster open = new Cluster("192.0.2.1", FreePort.find(), true, Duration.ofSeconds(1));
    assertThatThrownBy(open::start)
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "this process would listen on 192.0.2.1, where everyone on the network could join; pass"
                + " --tls DIR with certificates, or --trusted-network if everyone on the network is"
                + " trusted, or keep all workers on this machine with --master-addr 127.0.0.1");
    assertThatThrownBy(open.withTrustedNetwork(true)::start)
        .hasMessageStartingWith("rank 0 cannot listen on 192.0.2.1:");
    VertxOptions own = new VertxOptions();
    own.getEventBusOptions().setHost("0.0.0.0");
    assertThatThrownBy(() -> World.meetingAt(FreePort.find(), true).builder(own))
        .hasMessageStartingWith("this process would listen on 0.0.0.0, where everyone");
  }

  @Test
  void certificatesThatAreMissingAreNamedBeforeAnythingStarts(@TempDir Path empty) {
    assertThatThrownBy(World.meetingAt(FreePort.find(), true).withTls(empty)::requireMeetingPoint)
        .isInstanceOf(RendezvousException.class)
        .hasMessageStartingWith(
            empty.resolve("tls.crt") + " is missing; expected tls.crt, tls.key");
  }

  @Test
  void anApplicationsOwnEventBusOptionsStay() {
    EventBusOptions own =
        new EventBusOptions()
            .setHost("0.0.0.0")
            .setPort(25_123)
            .setClusterPublicPort(25_124)
            .setConnectTimeout(700)
            .setReconnectAttempts(9)
            .setReconnectInterval(11)
            .setSsl(true)
            .setTrustAll(true)
            .setKeyCertOptions(new PemKeyCertOptions().addCertPath("a.pem").addKeyPath("b.pem"));
    EventBusOptions before = new EventBusOptions(own);
    VertxOptions options =
        cluster().configure(new VertxOptions().setEventLoopPoolSize(3).setEventBusOptions(own));

    assertThat(options.getEventLoopPoolSize()).isEqualTo(3);
    JsonObject after = options.getEventBusOptions().toJson();
    assertThat(after.remove("clusterPublicHost")).isEqualTo("127.0.0.1");
    assertThat(after).isEqualTo(before.toJson());
    assertThat(own.toJson()).as("the application's object").isEqualTo(before.toJson());
  }

  @Test
  void anApplicationsEventLoopsAndTransportStayEvenIfTheyAreVertxsDefault() {
    VertxOptions own =
        new VertxOptions()
            .setEventLoopPoolSize(VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE)
            .setPreferNativeTransport(false);
    VertxOptions options = cluster().configure(own);
    assertThat(options.getEventLoopPoolSize()).isEqualTo(own.getEventLoopPoolSize());
    assertThat(options.getPreferNativeTransport()).isFalse();
    assertThat(own.getEventBusOptions().getHost()).as("the application's object").isNull();
  }

  @Test
  void anApplicationsOwnHostsStay() {
    EventBusOptions own =
        new EventBusOptions().setHost("10.0.0.1").setClusterPublicHost("worker.example");
    EventBusOptions bus =
        cluster().configure(new VertxOptions().setEventBusOptions(own)).getEventBusOptions();
    assertThat(bus.getHost()).isEqualTo("10.0.0.1");
    assertThat(bus.getClusterPublicHost()).isEqualTo("worker.example");
  }

  @Test
  void withoutOptionsOfItsOwnAWorkerListensWhereTheMasterReachesIt() {
    VertxOptions options = cluster().configure(Cluster.options());
    assertThat(options.getEventLoopPoolSize()).isEqualTo(1);
    assertThat(options.getEventBusOptions().isTcpKeepAlive()).isTrue();
    assertThat(options.getEventBusOptions().getHost()).isEqualTo("127.0.0.1");
    assertThat(options.getEventBusOptions().getConnectTimeout()).isEqualTo(3_000);
    assertThat(options.getEventBusOptions().getReconnectAttempts()).isEqualTo(2);
  }

  @Test
  void aWorkerIsReachedAtThePortThatItsApplicationChose() {
    int port = FreePort.find();
    EventBusOptions own = new EventBusOptions().setPort(port);
    VertxOptions options = new VertxOptions().setEventLoopPoolSize(2).setEventBusOptions(own);
    Vertx vertx = new MemoryCluster().start(cluster().configure(options));
    assertThat(((VertxInternal) vertx).clusterManager().getNodeInfo())
        .isEqualTo(new NodeInfo("127.0.0.1", port, null));
    vertx.close().await();
  }

  @Test
  void anAdvertisedAddressIsForOthersOnly() {
    Cluster cluster = cluster().withAdvertisedAddress("10.9.9.9");
    EventBusOptions bus = cluster.configure(Cluster.options()).getEventBusOptions();
    assertThat(bus.getHost()).isEqualTo("127.0.0.1");
    assertThat(bus.getClusterPublicHost()).isEqualTo("10.9.9.9");
    Cluster other =
        new Cluster("127.0.0.1", 29_500, false, Duration.ofSeconds(1))
            .withAdvertisedAddress("10.9.9.9");
    ServerSocketEndpointConfig members =
        (ServerSocketEndpointConfig)
            other
                .manager()
                .getConfig()
                .getAdvancedNetworkConfig()
                .getEndpointConfigs()
                .get(EndpointQualifier.MEMBER);
    assertThat(members.getPublicAddress()).isEqualTo("10.9.9.9");
    assertThat(members.getInterfaces().getInterfaces()).containsExactly("127.0.0.1");
  }

  @Test
  void anAdvertisedAddressThatNobodyReachesIsRefused() {
    Cluster cluster = cluster().withAdvertisedAddress("0.0.0.0");
    assertThatThrownBy(() -> cluster.configure(Cluster.options()))
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "advertised address \"0.0.0.0\" is a wildcard address; pass the address of this worker"
                + " that the other workers can reach, as --advertised-addr");
  }

  @Test
  void rankZeroIsMetAtTheFirstOfItsPortsOrBesideThem() {
    PortRange ports = new PortRange(29_490, 29_510);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster().withPorts(ports))
        .withMessage(
            "master port 29500 is inside the port range 29490-29510; use its first port or one"
                + " outside the range");
    assertThat(cluster().withPorts(new PortRange(29_500, 29_510)).ports().first())
        .isEqualTo(29_500);
  }

  @Test
  void aRankZeroWhoseMasterPortIsTakenMeanwhileSaysSo() {
    HazelcastException taken =
        new HazelcastException(
            "Cannot bind to a given address: /127.0.0.1. Hazelcast cannot start.");
    for (Cluster cluster : List.of(cluster(), cluster().withPorts(new PortRange(29_500, 29_510)))) {
      assertThat(cluster.explain(new CompletionException(taken)))
          .hasMessage(
              "rank 0 cannot listen on 127.0.0.1:29500: another process has just taken the port,"
                  + " perhaps another rank 0; stop it, or use another --master-port");
    }
  }

  /// A JVM that starts on a machine with a load of 20 may be silent for seconds.
  @Test
  void theDefaultsArePatientWithMachinesThatAreBusy() {
    RpcOptions options = RpcOptions.worldSize(1);
    assertThat(options.rendezvousTimeout()).isEqualTo(Duration.ofMinutes(10));
    assertThat(options.heartbeatTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(cluster().heartbeatTimeout()).isEqualTo(options.heartbeatTimeout());
  }

  private static Cluster cluster() {
    return new Cluster("127.0.0.1", 29_500, true, Duration.ofSeconds(1));
  }
}
