// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.wire.Sender;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Detects which of the workers that this worker waits for are silent for too long.
///
/// Silence is counted in ticks of this worker. While this worker is frozen, it has no ticks, so it
/// does not consider other workers dead when it resumes.
public final class FailureDetector {
  private final long periodMillis;
  private final int mostTicks;
  private final int ticksToAsk;

  private final Map<Sender, Peer> watched = new ConcurrentHashMap<>();

  private volatile long ticks;

  private static final class Peer {
    /// The tick at which the worker was last heard from.
    private volatile long heard;

    private Peer(long tick) {
      heard = tick;
    }
  }

  /// Creates a detector that watches no workers yet.
  ///
  /// @param timeout how long a worker may be silent; silence is detected slightly earlier, so that
  ///     it has been handled when the timeout expires
  /// @param period the time between two ticks
  public FailureDetector(Duration timeout, Duration period) {
    periodMillis = period.toMillis();
    mostTicks = (int) Math.max(2, timeout.dividedBy(period) - 2);
    ticksToAsk = Math.max(1, mostTicks / 24); // a frozen worker may take a while to resume
  }

  /// Records a sign of life from a worker. May be called on any thread.
  public void heard(Sender from) {
    Peer peer = watched.get(from);
    if (peer != null) {
      peer.heard = ticks;
    }
  }

  /// Returns how many milliseconds ago a worker was last heard from, rounded to ticks, or null if
  /// it is not watched. May be called on any thread.
  public @Nullable Long silenceMillis(Sender peer) {
    Peer known = watched.get(peer);
    return known == null ? null : (ticks - known.heard) * periodMillis;
  }

  /// Advances by one tick. Must not be called concurrently.
  ///
  /// @param peers the workers that this worker currently waits for; only these are watched
  /// @param ask asks a worker for a sign of life
  /// @param lost handles a dead worker
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
