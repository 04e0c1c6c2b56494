// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import dev.tensorbus.rpc.transport.listen.Addresses;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A second world at the meeting point of a live world. A rank 0 founds one if no knock reaches it,
/// for example while its network is down. A member of the live world joins the second world briefly
/// and reports the live world, so that the second rank 0 fails with an explanation.
///
/// A world is identified by the id of its Hazelcast cluster, which its founder draws at random.
public final class OtherWorld {
  private static final System.Logger LOG = System.getLogger(OtherWorld.class.getName());
  private static final String MAP = "tensorbus.worlds";
  private static final Duration JOINING = Duration.ofSeconds(3);
  private static final Duration SILENCE = Duration.ofSeconds(5);

  /// The prefix of the node id of a visiting member. vertx-hazelcast fails when a member without a
  /// node id leaves.
  private static final String VISITOR = "visitor-";

  private OtherWorld() {}

  /// Returns the identity of a member's world.
  static UUID identity(HazelcastInstance member) {
    return PeerConnections.original(member).node.getClusterService().getClusterId();
  }

  /// Reports the live world to the world at an address. Joins that world briefly, since its members
  /// serve no clients. Blocks for a few seconds at most. The report may not arrive if a process is
  /// busy.
  ///
  /// @param gate recognizes the members of that world
  /// @param world the identity of the live world
  /// @param living the address at which the live world can be joined
  /// @return whether a member of a world listens at the address
  static boolean tell(
      MemberGate gate, InetSocketAddress place, UUID world, InetSocketAddress living) {
    if (!MeetingPoint.hasMember(gate, place)) {
      return false;
    }
    Config config = MemberConfig.of(SILENCE).setLiteMember(true);
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    MemberManager.limitJoin(config, JOINING);
    config.getMemberAttributeConfig().setAttribute(MemberConfig.NODE_ID, VISITOR + world);
    String host = living.getAddress().getHostAddress();
    new MemberNetwork(host, 0, 1, null, Addresses.text(place)).configure(config);
    try {
      HazelcastInstance visitor = MemberManager.create(config, gate);
      try {
        visitor.getMap(MAP).put(world.toString(), Addresses.text(living));
      } finally {
        visitor.getLifecycleService().terminate();
      }
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "the world at {0} does not answer: {1}", place, e);
    }
    return true;
  }

  /// Returns the live world that a visiting member has reported, formatted for an error message, or
  /// null if none was reported. Blocks.
  public static @Nullable String toldTo(HazelcastInstance member) {
    String own = identity(member).toString(); // also reported, if rank 0 has just joined it
    return ReadableValues.of(member.getMap(MAP).entrySet()).stream()
        .filter(world -> !world.getKey().equals(own))
        .findFirst()
        .map(world -> "world " + world.getKey() + ", which can be joined at " + world.getValue())
        .orElse(null);
  }
}
