// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.wire.Sender;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Tells who is silent for too long, among the workers that this one waits for.
///
/// Silence is counted in ticks of this worker. While it is frozen nothing ticks, so that it does
/// not take the others for dead when it wakes up.
public final class FailureDetector {
  private final long periodMillis;
  private final int mostTicks;
  private final int ticksToAsk;

  private final Map<Sender, Peer> watched = new ConcurrentHashMap<>();

  private volatile long ticks;

  private static final class Peer {
    /// The tick at which it was last heard.
    private volatile long heard;

    private Peer(long tick) {
      heard = tick;
    }
  }

  /// Nobody is watched.
  ///
  /// @param timeout for how long a worker may be silent; noticed a little earlier, so that all
  ///     is done by then
  /// @param period the time between two ticks
  public FailureDetector(Duration timeout, Duration period) {
    periodMillis = period.toMillis();
    mostTicks = (int) Math.max(2, timeout.dividedBy(period) - 2);
    ticksToAsk = Math.max(1, mostTicks / 24); // it may take a while to wake up from a freeze
  }

  /// Takes a sign of life. Any thread.
  public void heard(Sender from) {
    Peer peer = watched.get(from);
    if (peer != null) {
      peer.heard = ticks;
    }
  }

  /// How many milliseconds ago a worker was heard, to the time between two ticks; or null if it is
  /// not watched. Any thread.
  public @Nullable Long silenceMillis(Sender peer) {
    Peer known = watched.get(peer);
    return known == null ? null : (ticks - known.heard) * periodMillis;
  }

  /// Lets a moment pass. One thread at a time.
  ///
  /// @param peers whom this worker waits for now; nobody else is watched
  /// @param ask asks one for a sign of life
  /// @param lost takes it that one is dead
  public void tick(Set<Sender> peers, Consumer<Sender> ask, Consumer<Sender> lost) {
    long tick = ticks + 1;
    ticks = tick;
    watched.keySet().retainAll(peers);
    for (Sender peer : peers) {
      long silence = tick - watched.computeIfAbsent(peer, key -> new Peer(tick)).heard;
      if (silence >= mostTicks) {
        lost.accept(peer);
      } else if (silence > 0 && silence % ticksToAsk == 0) {
        ask.accept(peer);
      }
    }
  }
}
