// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections that have not been admitted yet. When the room is full, the connection that has
/// waited longest is closed, so that silent connections keep nobody out.
final class WaitingRoom {
  /// The capacity of the event bus's waiting room.
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

  /// Adds a connection. Returns the one that must be closed to make room for it, or null.
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
