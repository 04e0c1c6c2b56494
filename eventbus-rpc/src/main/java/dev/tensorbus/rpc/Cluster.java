// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.listen.Addresses;
import dev.tensorbus.rpc.transport.listen.Certificates;
import dev.tensorbus.rpc.transport.listen.GuardedTransport;
import dev.tensorbus.rpc.transport.listen.Listener;
import dev.tensorbus.rpc.transport.listen.PortSearch;
import dev.tensorbus.rpc.transport.listen.Secret;
import dev.tensorbus.rpc.transport.listen.SecretHandshake;
import dev.tensorbus.rpc.world.hazelcast.MeetingPoint;
import dev.tensorbus.rpc.world.hazelcast.MemberConfig;
import dev.tensorbus.rpc.world.hazelcast.MemberGate;
import dev.tensorbus.rpc.world.hazelcast.MemberManager;
import dev.tensorbus.rpc.world.hazelcast.MemberNetwork;
import dev.tensorbus.rpc.world.hazelcast.QuietNetty;
import dev.tensorbus.rpc.world.hazelcast.Survivor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The meeting point of the workers of a world: the address of rank 0, to which the others connect.
/// Like torch's `MASTER_ADDR` and `MASTER_PORT`. Creates the clustered Vertx on which [Rpc#open]
/// runs, with an embedded Hazelcast. An application that has its own clustered Vertx does not need
/// this class.
///
/// Rank 0 is only the meeting point: the others keep running without it, and a new worker can join
/// at any live worker (see [#meetingPoint]). If rank 0 is restarted with the same command, it
/// rejoins the others, since they keep probing its address. Two worlds are never merged.
///
/// @param masterAddress the host at which the other workers reach rank 0, or the host of any other
///     live worker
/// @param masterPort the port of that worker
/// @param isMaster whether this process is rank 0
/// @param timeout how long to wait for rank 0
/// @param heartbeatTimeout how long a worker may be silent before the others consider it dead, in
///     whole seconds, at least 2; the end of a process is noticed at once
/// @param ports the ports on which this process may listen; on rank 0, the master port must be the
///     first of them or lie outside the range
/// @param advertisedAddress the host to which other workers connect, or null for the address on
///     which this process listens; needed behind NAT and in a container. The advertised ports are
///     always those on which this process listens.
/// @param tls the folder with the certificate of this process and the authority of the world
///     ([Certificates]), or null. With it, connections are encrypted, and only processes with a
///     certificate of the same authority can connect
/// @param trustedNetwork whether everyone who can reach this process is trusted. Without this and
///     without `tls`, it listens on a loopback address only, and only processes of the same user
///     can connect to its Hazelcast member
public record Cluster(
    String masterAddress,
    int masterPort,
    boolean isMaster,
    Duration timeout,
    Duration heartbeatTimeout,
    PortRange ports,
    @Nullable String advertisedAddress,
    @Nullable Path tls,
    boolean trustedNetwork) {
  /// The default heartbeat timeout. It suits an overloaded machine, on which a starting JVM may be
  /// silent for seconds. Only a frozen process or a network partition takes this long to detect;
  /// the end of a process is noticed at once.
  public static final Duration DEFAULT_HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration PATIENCE_WITH_NOBODY = Duration.ofSeconds(5);

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// Creates a cluster with default values for the remaining settings.
  public Cluster(String masterAddress, int masterPort, boolean isMaster, Duration timeout) {
    this(
        masterAddress,
        masterPort,
        isMaster,
        timeout,
        DEFAULT_HEARTBEAT_TIMEOUT,
        PortRange.ANY,
        null,
        null,
        false);
  }

  /// @throws IllegalArgumentException if the master port is invalid, if rank 0 has a master port
  ///     that is in the port range but is not its first port, or if the heartbeat timeout is too
  ///     short to distinguish a dead worker from a paused one
  public Cluster {
    if (masterPort < 1 || masterPort > 65535) {
      throw new IllegalArgumentException("master port " + masterPort + " must be from 1 to 65535");
    }
    if (heartbeatTimeout.compareTo(MemberConfig.HEARTBEAT.multipliedBy(2)) < 0) {
      throw new IllegalArgumentException(
          "heartbeat timeout " + heartbeatTimeout + " must be at least 2 s");
    }
    if (tls != null && trustedNetwork) {
      throw new IllegalArgumentException(
          "certificates in a trusted network; expected one of --tls and --trusted-network");
    }
    if (isMaster && ports.isBehindTheFirst(masterPort)) {
      throw new IllegalArgumentException(
          "master port "
              + masterPort
              + " is inside the port range "
              + ports
              + "; use its first port or one outside the range");
    }
  }

  /// Returns a copy with another heartbeat timeout.
  public Cluster withHeartbeatTimeout(Duration silence) {
    return new Cluster(
        masterAddress,
        masterPort,
        isMaster,
        timeout,
        silence,
        ports,
        advertisedAddress,
        tls,
        trustedNetwork);
  }

  /// Returns a copy with another port range.
  public Cluster withPorts(PortRange range) {
    return new Cluster(
        masterAddress,
        masterPort,
        isMaster,
        timeout,
        heartbeatTimeout,
        range,
        advertisedAddress,
        tls,
        trustedNetwork);
  }

  /// Returns a copy that advertises another host, or, if `host` is null, the address on which this
  /// process listens.
  public Cluster withAdvertisedAddress(@Nullable String host) {
    return new Cluster(
        masterAddress,
        masterPort,
        isMaster,
        timeout,
        heartbeatTimeout,
        ports,
        host,
        tls,
        trustedNetwork);
  }

  /// Returns a copy that trusts everyone on the network, or not.
  public Cluster withTrustedNetwork(boolean isTrusted) {
    return new Cluster(
        masterAddress,
        masterPort,
        isMaster,
        timeout,
        heartbeatTimeout,
        ports,
        advertisedAddress,
        tls,
        isTrusted);
  }

  /// Returns a copy whose connections are encrypted and authenticated.
  ///
  /// @param folder the folder with `tls.crt`, `tls.key` and `ca.crt`, or null
  public Cluster withTls(@Nullable Path folder) {
    return new Cluster(
        masterAddress,
        masterPort,
        isMaster,
        timeout,
        heartbeatTimeout,
        ports,
        advertisedAddress,
        folder,
        trustedNetwork);
  }

  /// Returns the address at which a new worker can join the cluster of this Vertx. Use its host and
  /// port as the `masterAddress` and `masterPort` of a [Cluster] with `isMaster` false.
  ///
  /// @throws IllegalArgumentException if the Vertx is not clustered by Hazelcast
  public static InetSocketAddress meetingPoint(Vertx vertx) {
    if (((VertxInternal) vertx).clusterManager() instanceof HazelcastClusterManager manager) {
      return manager.getHazelcastInstance().getCluster().getLocalMember().getSocketAddress();
    }
    throw new IllegalArgumentException(
        "this Vertx is not clustered by Hazelcast; start it with Cluster.start()");
  }

  /// Starts a clustered Vertx. Blocks until rank 0 listens.
  ///
  /// @throws RendezvousException if the master's port is taken, or the master cannot be reached
  public Vertx start() {
    requireMeetingPoint();
    return builder().buildClustered().recover(error -> Future.failedFuture(explain(error))).await();
  }

  /// Starts a clustered Vertx for a process that is not a worker and only queries the world. The
  /// process becomes a lite member of Hazelcast, which holds no data, so it joins and leaves
  /// unnoticed. Waits for a process to listen at the master's address, for at most 5 s or the
  /// timeout, whichever is shorter, and then until the world admits this process.
  ///
  /// @throws RendezvousException if no process can be reached at the master's address
  public Vertx visit() {
    Duration limit = timeout.compareTo(PATIENCE_WITH_NOBODY) < 0 ? timeout : PATIENCE_WITH_NOBODY;
    MemberGate gate = gate();
    awaitMaster(limit, gate);
    MemberManager manager = manager(gate);
    manager.getConfig().setLiteMember(true);
    return builder(options(), gate, manager)
        .buildClustered()
        .recover(error -> Future.failedFuture(explain(error)))
        .await();
  }

  /// Returns a builder for a Vertx that is a node of this cluster, with the options that [#start]
  /// uses. For an application that builds its Vertx itself. Call [#requireMeetingPoint] first.
  public VertxBuilder builder() {
    return builder(options());
  }

  /// Returns options with one event loop and the operating system's native transport. With several
  /// event loops, more threads would have to be woken to handle a message. The native transport is
  /// faster than Java's.
  static VertxOptions options() {
    QuietNetty.install(); // before Vert.x's options load Netty classes
    VertxOptions options =
        new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true);
    options.getEventBusOptions().setTcpKeepAlive(true);
    return options;
  }

  /// Returns a builder with the application's options. Settings made by the application, such as
  /// event loops, port and TLS, are kept.
  ///
  /// @param options the application's options. They are copied; in the copy, missing hosts are
  ///     filled in, and the event bus's connect timeout and reconnect settings are replaced if they
  ///     are at Vert.x's defaults.
  public VertxBuilder builder(VertxOptions options) {
    MemberGate gate = gate();
    return builder(options, gate, manager(gate));
  }

  private VertxBuilder builder(VertxOptions options, MemberGate gate, MemberManager manager) {
    VertxOptions configured = configure(options);
    requireTrusted(configured.getEventBusOptions().getHost());
    boolean hasPort = configured.getEventBusOptions().getPort() != 0;
    GuardedTransport transport =
        GuardedTransport.of(
            configured,
            node -> manager.getNodes().contains(node),
            gate.certificates(),
            gate.secret(),
            heartbeatTimeout,
            hasPort || ports.isAny() ? new int[0] : ports.candidates());
    return Vertx.builder().with(configured).withClusterManager(manager).withTransport(transport);
  }

  /// Returns an exception that explains why a Vertx of this cluster did not start.
  public RendezvousException explain(Throwable error) {
    if (isMaster && MemberNetwork.hasNoPort(error)) {
      return new RendezvousException(
          "rank 0 cannot listen on "
              + Addresses.text(masterAddress, masterPort)
              + ": another process has just taken the port, perhaps another rank 0; stop it, or"
              + " use another --master-port",
          error);
    }
    if (PortSearch.hasFailed(error) || MemberNetwork.hasNoPort(error)) {
      return new RendezvousException(
          "all ports of %s are taken at %s".formatted(ports, localAddress())
              + "; add ports with --ports, 3 for each worker of this host",
          error);
    }
    return new RendezvousException(
        isMaster
            ? "cannot start a cluster at " + place() + ": " + error.getMessage()
            : ("something listens at %s but did not admit this worker within %d s: it is"
                    + " busy, not a Tensorbus worker, or differs in --tls or"
                    + " --trusted-network; %s")
                .formatted(place(), timeout.toSeconds(), moreTime("check")),
        error);
  }

  private String place() {
    return Addresses.text(masterAddress, masterPort);
  }

  /// Returns advice for a user whose process did not reach rank 0 in time. Does not question a
  /// loopback address, which cannot be wrong.
  ///
  /// @param verb what to do with the address if rank 0 is on another machine
  private String moreTime(String verb) {
    String cure = "increase --timeout";
    return resolved().isLoopbackAddress()
        ? cure
        : cure + ", or " + verb + " --master-addr and --master-port";
  }

  /// On rank 0, checks that this process can open the master port. On other workers, blocks until
  /// rank 0 listens.
  ///
  /// @throws RendezvousException if the port cannot be opened, or rank 0 does not listen in time
  public void requireMeetingPoint() {
    MemberGate gate = gate(); // here too, since an application may swallow the error of builder
    if (isMaster) {
      requireTrusted(local());
      requireFreePort();
    } else {
      awaitMaster(timeout, gate);
    }
  }

  private InetAddress resolved() {
    return resolved(masterAddress, "master address", "rank 0", "--master-addr");
  }

  /// Returns the address to which other workers connect.
  private InetAddress advertised() {
    String host = advertisedAddress;
    return host == null
        ? local()
        : resolved(host, "advertised address", "this worker", "--advertised-addr");
  }

  private static InetAddress resolved(String host, String what, String whose, String option) {
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new RendezvousException(
          "unknown host \"%s\"; pass the address of %s as %s".formatted(host, whose, option), e);
    }
    if (address.isAnyLocalAddress()) {
      throw new RendezvousException(
          ("%s \"%s\" is a wildcard address; pass the address of %s that the other workers can"
                  + " reach, as %s")
              .formatted(what, host, whose, option),
          null);
    }
    if (address instanceof Inet6Address && address.isLinkLocalAddress()) {
      throw new RendezvousException(
          ("%s \"%s\" is link-local: other machines know the interface by another name; pass a"
                  + " global address or one of fd00::/8 as %s")
              .formatted(what, host, option),
          null);
    }
    return address;
  }

  private void requireFreePort() {
    try (ServerSocket _ = Listener.open(new InetSocketAddress(local(), masterPort))) {
      return;
    } catch (IOException e) {
      throw cannotListen(e);
    }
  }

  private RendezvousException cannotListen(IOException error) {
    boolean isLocal = resolved().isLoopbackAddress();
    return new RendezvousException(
        "rank 0 cannot listen on "
            + place()
            + ": "
            + error.getMessage()
            + "; use another --master-port"
            + (isLocal ? "" : ", or the address of this machine as --master-addr"),
        error);
  }

  private void awaitMaster(Duration limit, MemberGate gate) {
    Deadline end = Deadline.after(limit, NanoClock.SYSTEM);
    while (!isAttended()) {
      if (end.isOver()) {
        resolved(); // fails if there is no such host
        throw new RendezvousException(
            "rank 0 did not listen at %s within %d s; start it there, or %s"
                .formatted(place(), limit.toSeconds(), moreTime("correct")),
            null);
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
    requireOwnWorld(gate);
  }

  /// Checks that this process may listen where it would, and that rank 0 belongs to the same user.
  private void requireOwnWorld(MemberGate gate) {
    requireTrusted(local());
    try {
      MeetingPoint.requireNoStranger(gate, new InetSocketAddress(resolved(), masterPort));
    } catch (SecretHandshake.StrangerException e) {
      throw new RendezvousException(
          "cannot join the world at %s: %s; use another --master-port"
              .formatted(place(), e.getMessage()),
          e);
    }
  }

  /// Returns how this process and other members recognize each other.
  private MemberGate gate() {
    if (tls != null) {
      return new MemberGate.Certified(certificates(tls));
    }
    if (trustedNetwork) {
      return new MemberGate.Open();
    }
    try {
      return new MemberGate.Shared(Secret.ofUser());
    } catch (IOException e) {
      throw new RendezvousException("no secret of this user: " + e.getMessage(), e);
    }
  }

  private static Certificates certificates(Path folder) {
    try {
      return Certificates.read(folder);
    } catch (IOException e) {
      throw new RendezvousException(
          Objects.requireNonNullElse(e.getMessage(), folder.toString()), e);
    }
  }

  /// Checks that only processes of this machine can reach an address, unless connections are
  /// encrypted or the network is trusted.
  private void requireTrusted(InetAddress address) {
    if (tls == null && !trustedNetwork && !address.isLoopbackAddress()) {
      throw new RendezvousException(
          ("this process would listen on %s, where everyone on the network could join; pass --tls"
                  + " DIR with certificates, or --trusted-network if everyone on the network is"
                  + " trusted, or keep all workers on this machine with --master-addr 127.0.0.1")
              .formatted(address.getHostAddress()),
          null);
    }
  }

  /// Checks the host of the event bus, which an application may have set.
  private void requireTrusted(String host) {
    try {
      requireTrusted(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return; // Vert.x reports it
    }
  }

  /// Returns whether rank 0 listens. The host may not resolve yet, because a container's name is
  /// known only after the container has started.
  private boolean isAttended() {
    InetSocketAddress place = new InetSocketAddress(masterAddress, masterPort);
    return !place.isUnresolved()
        && MeetingPoint.isAttended(new InetSocketAddress(resolved(), masterPort));
  }

  VertxOptions configure(VertxOptions given) {
    VertxOptions options = new VertxOptions(given);
    EventBusOptions bus = options.getEventBusOptions();
    if (bus.getHost() == null) {
      bus.setHost(localAddress());
    }
    boolean isHidden = advertisedAddress != null || Addresses.isWildcard(bus.getHost());
    if (bus.getClusterPublicHost() == null && isHidden) {
      bus.setClusterPublicHost(advertised().getHostAddress());
    }
    if (bus.getConnectTimeout() == EventBusOptions.DEFAULT_CONNECT_TIMEOUT) {
      bus.setConnectTimeout(3_000);
    }
    if (bus.getReconnectAttempts() == EventBusOptions.DEFAULT_RECONNECT_ATTEMPTS) {
      bus.setReconnectAttempts(2).setReconnectInterval(200);
    }
    return options;
  }

  /// Creates a cluster manager with an embedded Hazelcast member, which is rank 0 or joins rank 0.
  MemberManager manager() {
    return manager(gate());
  }

  private MemberManager manager(MemberGate gate) {
    requireTrusted(local());
    Config config = MemberConfig.of(heartbeatTimeout);
    // Hazelcast ignores IPv6 addresses unless configured otherwise.
    config.setProperty(
        "hazelcast.prefer.ipv4.stack", Boolean.toString(resolved() instanceof Inet4Address));
    InetSocketAddress place =
        new InetSocketAddress(isMaster ? advertised() : resolved(), masterPort);
    config.addListenerConfig(new ListenerConfig(new Survivor(gate, place)));
    String world = isMaster ? livingWorld(gate) : Addresses.text(place.getAddress(), masterPort);
    network(world).configure(config);
    if (advertisedAddress != null) { // Hazelcast would bind its own connections to it
      config.setProperty("hazelcast.socket.client.bind", "false");
    }
    Duration limit = world == null ? Duration.ZERO : timeout;
    return MemberManager.of(config, gate, limit, isMaster && trustedNetwork ? warning() : null);
  }

  private String warning() {
    return ("everyone who can reach %s can join this world, and read and change what it computes:"
            + " nothing is authenticated or encrypted in a --trusted-network")
        .formatted(place());
  }

  /// Returns an address at which rank 0 can rejoin a world that it has left, or null if there is no
  /// such world. Blocks briefly.
  private @Nullable String livingWorld(MemberGate gate) {
    try {
      InetSocketAddress place = new InetSocketAddress(local(), masterPort);
      return MeetingPoint.listen(gate, place, advertisedAddress != null, MeetingPoint.LISTENING);
    } catch (IOException e) {
      throw cannotListen(e);
    }
  }

  /// @param world the address at which the world can be joined, or null if rank 0 founds it
  private MemberNetwork network(@Nullable String world) {
    boolean isOnePort = isMaster || ports.isAny();
    int anyOrMaster = isMaster ? masterPort : 0;
    return new MemberNetwork(
        localAddress(),
        isOnePort ? anyOrMaster : ports.first() + 1, // the first is reserved for rank 0
        isOnePort ? 1 : ports.last() - ports.first(),
        advertisedAddress == null ? null : advertised().getHostAddress(),
        world);
  }

  private String localAddress() {
    return local().getHostAddress();
  }

  /// Returns the address on which this process listens. On rank 0, this is the master address,
  /// unless another address is advertised and the master address does not belong to this machine.
  /// In all other cases, it is the source address of the route to the master address. Sends no
  /// packet to determine the route.
  private InetAddress local() {
    InetAddress master = resolved();
    try (DatagramSocket socket = new DatagramSocket()) {
      if (isMaster && (advertisedAddress == null || Addresses.isHere(master))) {
        return master;
      }
      socket.connect(master, masterPort);
      return socket.getLocalAddress();
    } catch (IOException e) {
      throw new RendezvousException("no route to " + place() + ": " + e.getMessage(), e);
    }
  }
}
