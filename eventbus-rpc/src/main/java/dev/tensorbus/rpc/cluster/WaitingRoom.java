// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/// The connections that have yet to say whose they are. When it is full the one that has waited
/// longest goes: whoever connects and says nothing keeps nobody out.
final class WaitingRoom {
  static final int SEATS = 256;

  private final Set<Channel> waiting = new LinkedHashSet<>();

  synchronized void enter(Channel connection) {
    if (waiting.size() == SEATS) {
      Iterator<Channel> longest = waiting.iterator();
      ChannelFuture _ = longest.next().close();
      longest.remove();
    }
    waiting.add(connection);
  }

  synchronized void leave(Channel connection) {
    waiting.remove(connection);
  }
}
