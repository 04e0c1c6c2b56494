// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.ConnectionListener;
import com.hazelcast.internal.server.Server;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.util.executor.StripedRunnable;
import com.hazelcast.spi.impl.eventservice.EventService;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections of a Hazelcast member to other members, which Hazelcast's public API does not
/// expose. The close reason of the last connection to a member shows how that member was lost:
/// Hazelcast closes connections to members that are silent or have removed this member, and the
/// operating system closes the connections of a process that has ended.
public final class PeerConnections implements ConnectionListener<ServerConnection> {
  /// Part of Hazelcast's close reason for a silent member.
  private static final String SILENCE = "has not sent any heartbeats";

  /// Hazelcast's close reason for a member that has answered a heartbeat by reporting that it does
  /// not know this member.
  private static final String REFUSAL = "explicit suspicion";

  private final Server server;
  private final EventService events;
  private final @Nullable ClassLoader application = Thread.currentThread().getContextClassLoader();
  private final Map<UUID, String> closeReasons = new ConcurrentHashMap<>();
  private volatile Consumer<InetSocketAddress> lost = peer -> {};

  /// Observes the connections of a member from now on.
  public PeerConnections(HazelcastInstance member) {
    Node node = original(member).node;
    events = node.getNodeEngine().getEventService();
    server = node.getServer();
    server.addConnectionListener(this);
  }

  /// Sets the listener that is called, on a Hazelcast thread, with the address of each member to
  /// which a connection has ended.
  public void onLost(Consumer<InetSocketAddress> listener) {
    lost = listener;
  }

  /// Returns whether a member's port refuses connections: its process has ended. A process that is
  /// frozen accepts them, and one that cannot be reached does not answer. Blocks for a second at
  /// most.
  public static boolean isRefused(InetSocketAddress member) {
    try (Socket _ = MeetingPoint.connect(member)) {
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static HazelcastInstanceImpl original(HazelcastInstance member) {
    return member instanceof HazelcastInstanceProxy proxy
        ? proxy.getOriginal()
        : (HazelcastInstanceImpl) member;
  }

  /// Runs an action after all earlier events about connections to a member. Hazelcast delivers
  /// these events on a different thread from the event that reports the removal of the member.
  public void afterEventsOf(Member member, Runnable action) {
    int key = member.getAddress().hashCode(); // Hazelcast's key for events about this address
    events.executeEventCallback(
        new StripedRunnable() {
          @Override
          public int getKey() {
            return key;
          }

          @Override
          public void run() {
            Thread here = Thread.currentThread();
            ClassLoader hazelcasts = here.getContextClassLoader();
            here.setContextClassLoader(application); // not Hazelcast's NamedClasses
            try {
              action.run();
            } finally {
              here.setContextClassLoader(hazelcasts);
            }
          }
        });
  }

  /// Returns whether the last connection to a member was closed because the member was silent.
  public boolean wasSilent(Member member) {
    return closeReason(member).contains(SILENCE);
  }

  /// Returns whether the last connection to a member was closed because that member has removed
  /// this one.
  public boolean hasRefused(Member member) {
    return closeReason(member).equals(REFUSAL);
  }

  private String closeReason(Member member) {
    return closeReasons.getOrDefault(member.getUuid(), "");
  }

  /// Returns whether this member is connected to the member at an address.
  boolean isConnected(InetSocketAddress member) {
    return server.getConnectionManager(EndpointQualifier.MEMBER).get(new Address(member)) != null;
  }

  @Override
  public void connectionAdded(ServerConnection connection) {}

  @Override
  public void connectionRemoved(ServerConnection connection) {
    UUID member = connection.getRemoteUuid();
    if (member != null) {
      closeReasons.put(member, Objects.requireNonNullElse(connection.getCloseReason(), ""));
    }
    Address peer = connection.getRemoteAddress();
    if (peer != null) {
      lost.accept(new InetSocketAddress(peer.getHost(), peer.getPort()));
    }
  }
}
