// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.NetworkConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Where the workers of a world meet: the address of rank 0, which the others join. Makes the
/// clustered Vertx that [Rpc#open] runs on, with Hazelcast embedded; an application that has a
/// clustered Vertx of its own needs none of this. After torch's `MASTER_ADDR` and `MASTER_PORT`.
///
/// Rank 0 is the meeting point, no more: when it is gone the others go on, and a newcomer meets
/// them at any that lives, see [#meetingPoint].
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

  private static final int CONNECT_MILLIS = 1000;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Hazelcast looks for silent members this often.
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /// A meeting point, with the default heartbeat timeout.
  public Cluster(String masterAddress, int masterPort, boolean isMaster, Duration timeout) {
    this(masterAddress, masterPort, isMaster, timeout, DEFAULT_HEARTBEAT_TIMEOUT);
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
    return Vertx.builder()
        .with(configure(new VertxOptions()))
        .withClusterManager(manager())
        .buildClustered()
        .recover(error -> Future.failedFuture(explain(error)))
        .await();
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
    return masterAddress + ":" + masterPort;
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
    try {
      return InetAddress.getByName(masterAddress);
    } catch (UnknownHostException e) {
      throw new RendezvousException(
          "no host \"" + masterAddress + "\"; give the address of rank 0 as --master-addr", e);
    }
  }

  private void requireFreePort(InetAddress address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, masterPort));
    } catch (IOException e) {
      throw new RendezvousException(
          "rank 0 cannot listen on "
              + place()
              + ": "
              + e.getMessage()
              + "; give another --master-port, or the address of this machine as --master-addr",
          e);
    }
  }

  private void awaitMaster(InetAddress address) {
    long start = System.nanoTime();
    while (!answers(address)) {
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

  private boolean answers(InetAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, masterPort), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Adds to Vert.x options what a worker's event bus needs. All its connections are read,
  /// written and dispatched on one event loop: each more that a message passes through is a
  /// thread to wake. That takes less with the system's own way to wait for connections.
  public VertxOptions configure(VertxOptions options) {
    String here = localAddress();
    options.setEventLoopPoolSize(1).setPreferNativeTransport(true);
    options.setEventBusOptions(
        new EventBusOptions()
            .setHost(here)
            .setClusterPublicHost(here)
            .setConnectTimeout(3_000)
            .setReconnectAttempts(2)
            .setReconnectInterval(200)
            .setTcpKeepAlive(true));
    return options;
  }

  /// The embedded Hazelcast that joins rank 0, or is it.
  public ClusterManager manager() {
    Config config = ConfigUtil.loadConfig();
    config.setClusterName("tensorbus");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "jdk");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.heartbeat.interval.seconds", seconds(HEARTBEAT));
    // Silence is noticed at the next look.
    config.setProperty(
        "hazelcast.max.no.heartbeat.seconds", seconds(heartbeatTimeout.minus(HEARTBEAT)));
    config.setProperty("hazelcast.graceful.shutdown.max.wait", "5");
    config.setProperty("hazelcast.max.join.seconds", seconds(timeout));
    config.setProperty("hazelcast.socket.bind.any", "false");
    // Two workers may die at once without the register losing an entry.
    config.getMultiMapConfig("__vertx.subs").setBackupCount(2);
    config.getMapConfig("*").setBackupCount(2);
    refuseJavaSerialization(config);
    network(config.getNetworkConfig());
    return new HazelcastClusterManager(config);
  }

  private static String seconds(Duration duration) {
    return Long.toString(duration.toSeconds());
  }

  /// Only vertx-hazelcast's own classes may come through Java's deserialization.
  private static void refuseJavaSerialization(Config config) {
    JavaSerializationFilterConfig filter = new JavaSerializationFilterConfig();
    filter.getWhitelist().addPrefixes("io.vertx.spi.cluster.hazelcast.", "com.hazelcast.");
    config.getSerializationConfig().setJavaSerializationFilterConfig(filter);
  }

  private void network(NetworkConfig network) {
    network.setPort(isMaster ? masterPort : 0);
    network.setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface(localAddress());
    network.getJoin().getMulticastConfig().setEnabled(false);
    network.getJoin().getAutoDetectionConfig().setEnabled(false);
    String master = resolved().getHostAddress() + ":" + masterPort;
    network.getJoin().getTcpIpConfig().setEnabled(true).addMember(master);
    if (!isMaster) {
      // Without the master there is no world: never found a cluster of one's own.
      network.getJoin().getTcpIpConfig().setRequiredMember(master);
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
