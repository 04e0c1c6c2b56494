// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.instance.ProtocolType;
import org.jspecify.annotations.Nullable;

/// The network configuration of a Hazelcast member. Its port is for members only. By default,
/// Hazelcast would also serve clients there, which can shut the member down, read the system
/// properties of its process, and put values into every map.
///
/// @param host the address to bind to
/// @param firstPort the first port to try; 0 for any
/// @param portCount the number of ports to try
/// @param publicHost the host announced to other members, or null to announce `host`
/// @param world the address at which the world can be joined, as formatted by [Addresses#text], or
///     null to found a world
public record MemberNetwork(
    String host,
    int firstPort,
    int portCount,
    @Nullable String publicHost,
    @Nullable String world) {
  /// Hazelcast's error message when it has tried all ports of a range.
  private static final String NO_PORT = "Cannot bind to a given address";

  /// Returns whether a member failed to start because all its ports were taken.
  public static boolean hasNoPort(@Nullable Throwable error) {
    return error != null
        && ((error instanceof HazelcastException
                && String.valueOf(error.getMessage()).contains(NO_PORT))
            || hasNoPort(error.getCause()));
  }

  /// Configures a member.
  public void configure(Config config) {
    ServerSocketEndpointConfig endpoint = new ServerSocketEndpointConfig();
    endpoint
        .setProtocolType(ProtocolType.MEMBER)
        .setPort(firstPort)
        .setPortCount(portCount)
        .setPortAutoIncrement(portCount > 1);
    if (publicHost != null) {
      endpoint.setPublicAddress(publicHost);
    }
    endpoint.getInterfaces().setEnabled(true).addInterface(host);
    AdvancedNetworkConfig network = config.getAdvancedNetworkConfig();
    network.setEnabled(true).setMemberEndpointConfig(endpoint);
    join(network.getJoin());
  }

  private void join(JoinConfig join) {
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    if (world != null) {
      // Never found a new cluster if there is a world to join.
      join.getTcpIpConfig().addMember(world).setRequiredMember(world);
    }
  }
}
