// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections that have yet to say whose they are, or what they want. When it is full the one
/// that has waited longest goes: whoever connects and says nothing keeps nobody out.
final class WaitingRoom {
  /// Those of the event bus.
  static final int SEATS = 256;

  private final int seats;
  private final Set<Channel> waiting = new LinkedHashSet<>();

  WaitingRoom(int seats) {
    this.seats = seats;
  }

  void enter(Channel connection) {
    Channel longest = takeSeat(connection);
    if (longest != null) {
      ChannelFuture _ = longest.close();
    }
  }

  /// The connection that has to go for it, or null.
  private synchronized @Nullable Channel takeSeat(Channel connection) {
    Channel longest = null;
    if (waiting.size() == seats) {
      Iterator<Channel> all = waiting.iterator();
      longest = all.next();
      all.remove();
    }
    waiting.add(connection);
    return longest;
  }

  synchronized void leave(Channel connection) {
    waiting.remove(connection);
  }
}
