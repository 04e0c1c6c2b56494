// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.config.NetworkConfig;
import dev.tensorbus.rpc.cluster.Addresses;
import dev.tensorbus.rpc.cluster.GuardedTransport;
import dev.tensorbus.rpc.cluster.JavaSerialization;
import dev.tensorbus.rpc.cluster.MeetingPoint;
import dev.tensorbus.rpc.cluster.MonotonicClock;
import dev.tensorbus.rpc.cluster.QuietLogs;
import dev.tensorbus.rpc.cluster.QuietNetty;
import dev.tensorbus.rpc.cluster.RetryingClusterManager;
import dev.tensorbus.rpc.cluster.Survivor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Where the workers of a world meet: the address of rank 0, which the others join. Makes the
/// clustered Vertx that [Rpc#open] runs on, with Hazelcast embedded; an application that has a
/// clustered Vertx of its own needs none of this. After torch's `MASTER_ADDR` and `MASTER_PORT`.
///
/// Rank 0 is the meeting point, no more: when it is gone the others go on, and a newcomer meets
/// them at any that lives, see [#meetingPoint]. A rank 0 that is started again by
/// the same command joins them, since they knock at its address. Two worlds are never merged.
///
/// @param masterAddress the host of rank 0, or of any worker that is there, as the others reach
///     it
/// @param masterPort its port
/// @param isMaster whether this process is rank 0
/// @param timeout how long to wait for rank 0
/// @param heartbeatTimeout how long a worker may be silent, in whole seconds from 2, before the
///     others take it for dead; one whose process ends is missed at once
public record Cluster(
    String masterAddress,
    int masterPort,
    boolean isMaster,
    Duration timeout,
    Duration heartbeatTimeout) {
  /// For a machine that is not overloaded.
  public static final Duration DEFAULT_HEARTBEAT_TIMEOUT = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(Cluster.class.getName());

  /// Seconds, as many as Hazelcast takes.
  private static final String NEVER = Integer.toString(Integer.MAX_VALUE);

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Hazelcast looks for silent members this often.
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /// Hazelcast's own limit, for half of the time that it waits in the end.
  private static final Duration OPERATION = Duration.ofSeconds(60);

  /// A meeting point, with the default heartbeat timeout.
  public Cluster(String masterAddress, int masterPort, boolean isMaster, Duration timeout) {
    this(masterAddress, masterPort, isMaster, timeout, DEFAULT_HEARTBEAT_TIMEOUT);
  }

  /// The meeting point that the launcher of this process has set, see [Rpc#run].
  ///
  /// @param options of the worker
  /// @throws RendezvousException if `MASTER_ADDR` or `MASTER_PORT` is missing or cannot be one
  static Cluster fromEnvironment(RpcOptions options) {
    WorkerEnvironment environment = WorkerEnvironment.read();
    return new Cluster(
        environment.masterAddress(),
        environment.masterPort(),
        options.rank() == 0,
        options.rendezvousTimeout(),
        options.heartbeatTimeout());
  }

  /// @throws IllegalArgumentException if the port cannot be one, or the heartbeat timeout is too
  ///     short to tell silence from a pause
  public Cluster {
    if (masterPort < 1 || masterPort > 65535) {
      throw new IllegalArgumentException("master port " + masterPort + " must be from 1 to 65535");
    }
    if (heartbeatTimeout.compareTo(HEARTBEAT.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "heartbeat timeout " + heartbeatTimeout + " must be at least 2 s");
    }
  }

  /// The same with another heartbeat timeout.
  public Cluster withHeartbeatTimeout(Duration silence) {
    return new Cluster(masterAddress, masterPort, isMaster, timeout, silence);
  }

  /// Where a newcomer can join the cluster of this Vertx, as `masterAddress` and `masterPort` of
  /// a [Cluster] that is not the master.
  ///
  /// @throws IllegalArgumentException if it was not started by [#start]
  public static InetSocketAddress meetingPoint(Vertx vertx) {
    if (((VertxInternal) vertx).clusterManager() instanceof HazelcastClusterManager manager) {
      return manager.getHazelcastInstance().getCluster().getLocalMember().getSocketAddress();
    }
    throw new IllegalArgumentException(
        "this Vertx is not clustered by Hazelcast; start it with Cluster.start()");
  }

  /// Starts a clustered Vertx. Blocks while rank 0 is not there yet.
  ///
  /// @throws RendezvousException if the master's port is taken, or the master cannot be reached
  public Vertx start() {
    requireMeetingPoint();
    return builder().buildClustered().recover(error -> Future.failedFuture(explain(error))).await();
  }

  /// A builder of a Vertx that is a node of this cluster, as [#start] makes one. It is for an
  /// application that makes its Vertx itself. [#requireMeetingPoint] comes first.
  public VertxBuilder builder() {
    return builder(options());
  }

  /// All connections are read, written and dispatched on one event loop: each more that a message
  /// passes through is a thread to wake. That takes less with the system's own way to wait for
  /// connections.
  static VertxOptions options() {
    QuietNetty.install(); // Vert.x's options load the first classes of Netty
    VertxOptions options =
        new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true);
    options.getEventBusOptions().setTcpKeepAlive(true);
    return options;
  }

  /// The same with options of the application. Whatever it has set stays, such as event loops, the
  /// port and TLS.
  ///
  /// @param options the hosts that they leave open are completed, and so are time limits of the
  ///     event bus that have Vert.x's default; the object itself is not changed
  public VertxBuilder builder(VertxOptions options) {
    HazelcastClusterManager manager = manager();
    VertxOptions configured = configure(options);
    VertxBuilder builder = Vertx.builder().with(configured).withClusterManager(manager);
    return configured.getEventBusOptions().isSsl() // its first bytes are no message
        ? builder
        : builder.withTransport(
            GuardedTransport.of(configured, node -> manager.getNodes().contains(node)));
  }

  /// Says what it means when a Vertx of this cluster does not start.
  public RendezvousException explain(Throwable error) {
    return new RendezvousException(
        isMaster
            ? "no cluster could be started at " + place() + ": " + error.getMessage()
            : "no master answered at "
                + place()
                + " within "
                + timeout.toSeconds()
                + " s, though something listens there; check --master-addr and --master-port",
        error);
  }

  private String place() {
    boolean isBare = masterAddress.contains(":") && !masterAddress.startsWith("[");
    return (isBare ? "[" + masterAddress + "]" : masterAddress) + ":" + masterPort;
  }

  /// Checks that rank 0 can open its port, or waits until it has. Blocks.
  ///
  /// @throws RendezvousException if it cannot, or does not in time
  public void requireMeetingPoint() {
    InetAddress address = resolved();
    if (isMaster) {
      requireFreePort(address);
    } else {
      awaitMaster(address);
    }
  }

  private InetAddress resolved() {
    InetAddress address;
    try {
      address = InetAddress.getByName(masterAddress);
    } catch (UnknownHostException e) {
      throw new RendezvousException(
          "no host \"" + masterAddress + "\"; give the address of rank 0 as --master-addr", e);
    }
    if (address.isAnyLocalAddress()) {
      throw new RendezvousException(
          "master address \""
              + masterAddress
              + "\" is every address of a machine; give the one of rank 0 that the other workers"
              + " reach, as --master-addr",
          null);
    }
    if (address instanceof Inet6Address && address.isLinkLocalAddress()) {
      throw new RendezvousException(
          "master address \""
              + masterAddress
              + "\" is link-local: other machines know the interface by another name; give a"
              + " global address or one of fd00::/8 as --master-addr",
          null);
    }
    return address;
  }

  private void requireFreePort(InetAddress address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, masterPort));
    } catch (IOException e) {
      throw cannotListen(e);
    }
  }

  private RendezvousException cannotListen(IOException error) {
    return new RendezvousException(
        "rank 0 cannot listen on "
            + place()
            + ": "
            + error.getMessage()
            + "; give another --master-port, or the address of this machine as --master-addr",
        error);
  }

  private void awaitMaster(InetAddress address) {
    long start = System.nanoTime();
    while (!MeetingPoint.isAttended(new InetSocketAddress(address, masterPort))) {
      if (System.nanoTime() - start > timeout.toNanos()) {
        throw new RendezvousException(
            "no master at "
                + place()
                + " within "
                + timeout.toSeconds()
                + " s; start rank 0 there, or give its address as --master-addr and --master-port",
            null);
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  VertxOptions configure(VertxOptions given) {
    VertxOptions options = new VertxOptions(given);
    EventBusOptions bus = options.getEventBusOptions();
    if (bus.getHost() == null) {
      bus.setHost(localAddress());
    } else if (bus.getClusterPublicHost() == null && isWildcard(bus.getHost())) {
      bus.setClusterPublicHost(localAddress());
    }
    if (bus.getConnectTimeout() == EventBusOptions.DEFAULT_CONNECT_TIMEOUT) {
      bus.setConnectTimeout(3_000);
    }
    if (bus.getReconnectAttempts() == EventBusOptions.DEFAULT_RECONNECT_ATTEMPTS) {
      bus.setReconnectAttempts(2).setReconnectInterval(200);
    }
    return options;
  }

  /// Whether it stands for all addresses of this machine, by which nobody else finds it.
  private static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /// The embedded Hazelcast that joins rank 0, or is it.
  HazelcastClusterManager manager() {
    QuietNetty.install();
    Config config = ConfigUtil.loadConfig();
    QuietLogs.install(config);
    MonotonicClock.install();
    config.setClusterName("tensorbus");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.heartbeat.interval.seconds", seconds(HEARTBEAT));
    // Nobody reads these, and an idle worker would compute them all the time.
    config.getMetricsConfig().setEnabled(false);
    config.setProperty("hazelcast.slow.operation.detector.enabled", "false");
    config.setProperty("hazelcast.health.monitoring.level", "OFF");
    // A worker that falls silent may have done so a heartbeat before. A worker that has calls with
    // it notices within the time-out; all others at the next look after it.
    config.setProperty("hazelcast.max.no.heartbeat.seconds", seconds(heartbeatTimeout));
    config.setProperty("hazelcast.graceful.shutdown.max.wait", "5");
    config.setProperty("hazelcast.socket.bind.any", "false");
    // What a member that is cut off holds is given up with it. By default that takes two minutes.
    config.setProperty("hazelcast.operation.call.timeout.millis", millis(operationTimeout()));
    // Two workers may die at once without the register losing an entry.
    config.getMultiMapConfig("__vertx.subs").setBackupCount(2);
    config.getMapConfig("*").setBackupCount(2);
    // Hazelcast looks for no IPv6 address unless it is told to.
    config.setProperty(
        "hazelcast.prefer.ipv4.stack", Boolean.toString(resolved() instanceof Inet4Address));
    config.getSerializationConfig().setJavaSerializationFilterConfig(JavaSerialization.filter());
    // Worlds that have gone apart are not of one mind about who has died: they are never merged.
    config.setProperty("hazelcast.merge.first.run.delay.seconds", NEVER);
    config.setProperty("hazelcast.merge.next.run.delay.seconds", NEVER);
    InetSocketAddress place = new InetSocketAddress(resolved(), masterPort);
    config.addListenerConfig(new ListenerConfig(new Survivor(place)));
    String world = isMaster ? livingWorld(place) : text(place);
    network(config.getNetworkConfig(), world);
    return world == null
        ? new HazelcastClusterManager(config)
        : new RetryingClusterManager(config, timeout);
  }

  private Duration operationTimeout() {
    return heartbeatTimeout.compareTo(OPERATION) < 0 ? heartbeatTimeout : OPERATION;
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  private static String seconds(Duration duration) {
    return Long.toString(duration.toSeconds());
  }

  /// Where the world can be joined that rank 0 has left, or null if there is none. Blocks a moment.
  private @Nullable String livingWorld(InetSocketAddress place) {
    try {
      String living = MeetingPoint.listen(place, MeetingPoint.LISTENING);
      if (living != null) {
        LOG.log(Level.INFO, "rank 0 joins the world that lives, at {0}", living);
      }
      return living;
    } catch (IOException e) {
      throw cannotListen(e);
    }
  }

  private static String text(InetSocketAddress place) {
    return Addresses.text(place.getAddress(), place.getPort());
  }

  /// @param world where it can be joined, or null if rank 0 founds it
  private void network(NetworkConfig network, @Nullable String world) {
    network.setPort(isMaster ? masterPort : 0);
    network.setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface(localAddress());
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    network.getJoin().getTcpIpConfig().setEnabled(true);
    if (world != null) {
      // Never found a cluster of one's own where there is a world.
      network.getJoin().getTcpIpConfig().addMember(world).setRequiredMember(world);
    }
  }

  /// The address of this machine on the way to the master; nothing is sent to find out.
  private String localAddress() {
    InetAddress master = resolved();
    if (isMaster) {
      return master.getHostAddress();
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(master, masterPort);
      return socket.getLocalAddress().getHostAddress();
    } catch (IOException e) {
      throw new RendezvousException("no way to " + place() + ": " + e.getMessage(), e);
    }
  }
}
