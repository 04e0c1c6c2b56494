// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.nio.ConnectionListener;
import com.hazelcast.internal.server.Server;
import com.hazelcast.internal.server.ServerConnection;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The connections of a Hazelcast member to the others, which Hazelcast's public interface does
/// not show. They tell a silent member from one whose process has ended: Hazelcast closes the
/// connection to the former, and the system that of the latter.
public final class PeerConnections implements ConnectionListener<ServerConnection> {
  /// In the reason for which Hazelcast closes a connection.
  private static final String SILENCE = "has not sent any heartbeats";

  private final Server server;
  private final Set<Address> silent = ConcurrentHashMap.newKeySet();
  private final Consumer<InetSocketAddress> lost;

  /// @param lost hears of each member to which a connection has ended, on a thread of Hazelcast's
  public PeerConnections(HazelcastInstance member, Consumer<InetSocketAddress> lost) {
    this.lost = lost;
    server = original(member).node.getServer();
    server.addConnectionListener(this);
  }

  static HazelcastInstanceImpl original(HazelcastInstance member) {
    return member instanceof HazelcastInstanceProxy proxy
        ? proxy.getOriginal()
        : (HazelcastInstanceImpl) member;
  }

  /// Whether the last connection to a member was closed because the member was silent.
  public boolean wasSilent(InetSocketAddress member) {
    return silent.contains(new Address(member));
  }

  /// Whether there is a connection to a member.
  boolean isConnected(InetSocketAddress member) {
    return server.getConnectionManager(EndpointQualifier.MEMBER).get(new Address(member)) != null;
  }

  @Override
  public void connectionAdded(ServerConnection connection) {
    Address peer = connection.getRemoteAddress();
    if (peer != null) {
      silent.remove(peer);
    }
  }

  @Override
  public void connectionRemoved(ServerConnection connection) {
    Address peer = connection.getRemoteAddress();
    if (peer == null) {
      return;
    }
    String reason = connection.getCloseReason();
    if (reason != null && reason.contains(SILENCE)) {
      silent.add(peer);
    }
    lost.accept(new InetSocketAddress(peer.getHost(), peer.getPort()));
  }
}
