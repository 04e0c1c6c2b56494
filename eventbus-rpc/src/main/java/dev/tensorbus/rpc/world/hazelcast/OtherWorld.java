// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import dev.tensorbus.rpc.transport.listen.Addresses;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A second world found at the meeting point of a live one. A rank 0 has founded it because no
/// knock reached it, for example while its network was cut. A member of the live world joins it for
/// a moment and reports the live one, so that its rank 0 fails with the reason.
///
/// A world is identified by the id of its Hazelcast cluster, which its founder draws at random.
public final class OtherWorld {
  private static final String MAP = "tensorbus.worlds";
  private static final String JOIN_SECONDS = "3";
  private static final Duration SILENCE = Duration.ofSeconds(5);

  /// vertx-hazelcast fails when a member without a name leaves.
  private static final String VISITOR = "visitor-";

  private OtherWorld() {}

  /// Returns the identity of a member's world.
  static UUID identity(HazelcastInstance member) {
    return PeerConnections.original(member).node.getClusterService().getClusterId();
  }

  /// Tells the world at an address about the live one. Joins that world for a moment, since a
  /// member serves no clients. Blocks for seconds at most.
  ///
  /// @param world the identity of the live world
  /// @param living where the live world can be joined
  /// @return whether there is a world that has received the message
  static boolean tell(InetSocketAddress place, UUID world, InetSocketAddress living) {
    Config config = MemberConfig.of(SILENCE).setLiteMember(true);
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty(RetryingClusterManager.JOIN_LIMIT, JOIN_SECONDS);
    config.getMemberAttributeConfig().setAttribute(MemberConfig.NODE_ID, VISITOR + world);
    String host = living.getAddress().getHostAddress();
    new MemberNetwork(host, 0, 1, null, Addresses.text(place)).configure(config);
    try {
      HazelcastInstance visitor = Hazelcast.newHazelcastInstance(config);
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

  /// Returns the world beside which this member's world was founded, formatted for a message, or
  /// null if no visitor has reported one. Blocks.
  public static @Nullable String toldTo(HazelcastInstance member) {
    String own = identity(member).toString(); // rank 0 may have joined while a visitor came
    return ReadableValues.of(member.getMap(MAP).entrySet()).stream()
        .filter(world -> !world.getKey().equals(own))
        .findFirst()
        .map(world -> "world " + world.getKey() + ", which can be met at " + world.getValue())
        .orElse(null);
  }
}
