// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.ClientConnectionStrategyConfig.ReconnectMode;
import com.hazelcast.core.HazelcastInstance;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A world that was found at the meeting point of one that lives. A rank 0 has founded it because
/// it heard no knock, as when its network was cut. A member of the living world visits it and says
/// so, so that its rank 0 fails with the reason.
///
/// A world is known by the identity of its Hazelcast cluster, which its founder draws at random.
public final class OtherWorld {
  private static final String MAP = "tensorbus.worlds";
  private static final int CONNECT_MILLIS = 2000;

  private OtherWorld() {}

  /// The identity of the world of a member.
  static UUID identity(HazelcastInstance member) {
    return PeerConnections.original(member).node.getClusterService().getClusterId();
  }

  /// Tells the world that is met at a place of the one that lives. Blocks for seconds at most.
  ///
  /// @param world the identity of the one that lives
  /// @param living where it can be met
  /// @return whether a world is there and has heard
  static boolean tell(
      InetSocketAddress place, String clusterName, UUID world, InetSocketAddress living) {
    ClientConfig config = new ClientConfig().setClusterName(clusterName);
    config.getNetworkConfig().setSmartRouting(false).addAddress(Addresses.text(place));
    config
        .getConnectionStrategyConfig()
        .setReconnectMode(ReconnectMode.OFF)
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(CONNECT_MILLIS);
    config.setProperty("hazelcast.client.invocation.timeout.seconds", "2");
    try {
      HazelcastInstance visitor = HazelcastClient.newHazelcastClient(config);
      try {
        visitor.getMap(MAP).put(world.toString(), Addresses.text(living));
        return true;
      } finally {
        visitor.getLifecycleService().terminate();
      }
    } catch (RuntimeException e) { // it speaks another protocol, or not at all
      return false;
    }
  }

  /// The world beside which the one of this member was founded, as a message tells it, or null if
  /// no visitor has told of one. Blocks.
  public static @Nullable String toldTo(HazelcastInstance member) {
    String own = identity(member).toString(); // rank 0 may have joined while a visitor came
    return member.getMap(MAP).entrySet().stream()
        .filter(world -> !world.getKey().equals(own))
        .findFirst()
        .map(world -> "world " + world.getKey() + ", which can be met at " + world.getValue())
        .orElse(null);
  }
}
