// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.listen;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections that have not been admitted yet. When the room is full, the connection that has
/// waited longest is closed, so that silent connections keep nobody out. Thread-safe.
///
/// @param <C> the type of the connections
public final class WaitingRoom<C> {
  /// The capacity of the waiting rooms of the event bus and of Hazelcast.
  public static final int SEATS = 256;

  private final int seats;
  private final Consumer<C> close;
  private final Set<C> waiting = new LinkedHashSet<>();

  /// @param close closes a connection
  public WaitingRoom(int seats, Consumer<C> close) {
    this.seats = seats;
    this.close = close;
  }

  /// Adds a connection.
  public void enter(C connection) {
    C longest = takeSeat(connection);
    if (longest != null) {
      close.accept(longest);
    }
  }

  /// Adds a connection. Returns the one that must be closed to make room for it, or null.
  private synchronized @Nullable C takeSeat(C connection) {
    C longest = null;
    if (waiting.size() == seats) {
      Iterator<C> all = waiting.iterator();
      longest = all.next();
      all.remove();
    }
    waiting.add(connection);
    return longest;
  }

  /// Removes a connection that has been admitted or has ended.
  public synchronized void leave(C connection) {
    waiting.remove(connection);
  }
}
