// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.core.LifecycleListener;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.transport.listen.Addresses;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Keeps this member's world joinable: while no member of the world is at the [MeetingPoint], this
/// member keeps knocking there, so that a new rank 0 finds the world.
public final class Survivor implements LifecycleListener, HazelcastInstanceAware {
  private static final System.Logger LOG = System.getLogger(Survivor.class.getName());
  private static final long KNOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// The interval between knocks while another program is at the meeting point. It is long, since
  /// that program may log each connection.
  private static final long SELDOM_NANOS = TimeUnit.SECONDS.toNanos(2);

  /// The pause between two visits to another world at the meeting point.
  private static final Duration REVISIT = Duration.ofSeconds(3);

  private static final String MAP = "tensorbus.place";
  private static final String PLACE = "place";

  private final MemberGate gate;
  private final AtomicBoolean isKnocking = new AtomicBoolean();

  private volatile InetSocketAddress place;
  private volatile @Nullable HazelcastInstance hazelcast;
  private volatile @Nullable PeerConnections connections;

  /// @param gate recognizes the members of other worlds
  /// @param place the address at which this member joins, which is the meeting point if the founder
  ///     of the world listens there
  public Survivor(MemberGate gate, InetSocketAddress place) {
    this.gate = gate;
    this.place = place;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    hazelcast = instance;
  }

  @Override
  public void stateChanged(LifecycleEvent event) {
    if (event.getState() == LifecycleState.STARTED) {
      PeerConnections peers = new PeerConnections(member());
      connections = peers;
      peers.onLost(this::lost);
      Threads.system().start("tensorbus-place", this::learnPlace);
    }
  }

  private HazelcastInstance member() {
    return Objects.requireNonNull(hazelcast, "Hazelcast hands itself over before it starts");
  }

  /// Reads the address of the meeting point, which the founder of the world has stored. This member
  /// may have joined at another address.
  private void learnPlace() {
    try {
      if (member().getMap(MAP).putIfAbsent(PLACE, Addresses.text(place)) instanceof String known) {
        place = Addresses.parse(known);
      }
      lost(place); // the meeting point may have been unattended for a while
    } catch (HazelcastInstanceNotActiveException e) {
      LOG.log(Level.DEBUG, "this member has left");
    } catch (HazelcastSerializationException | IllegalArgumentException e) {
      LOG.log(Level.WARNING, "the map of the meeting point does not contain its address: {0}", e);
    }
  }

  private void lost(InetSocketAddress peer) {
    if (peer.equals(place) && isKnocking.compareAndSet(false, true)) {
      Threads.system().start("tensorbus-knock", this::knock);
    }
  }

  /// Returns whether no member of this world is at the meeting point, as far as this member knows.
  private boolean isAway() {
    PeerConnections peers = connections;
    return member().getLifecycleService().isRunning()
        && !here().equals(place)
        && peers != null
        && !(hasMember() && peers.isConnected(place));
  }

  private boolean hasMember() {
    return member().getCluster().getMembers().stream()
        .map(Member::getSocketAddress)
        .anyMatch(place::equals);
  }

  private InetSocketAddress here() {
    return member().getCluster().getLocalMember().getSocketAddress();
  }

  private void knock() {
    try {
      InetSocketAddress here = here();
      String living = Addresses.text(here);
      Visit visit = new Visit(here);
      LockSupport.parkNanos(KNOCK_NANOS); // until the connection is no longer listed
      while (isAway()) {
        LockSupport.parkNanos(visit.after(MeetingPoint.knock(place, living)));
      }
    } catch (HazelcastInstanceNotActiveException e) {
      LOG.log(Level.DEBUG, "this member has left");
    } finally {
      isKnocking.set(false);
    }
  }

  /// Tracks what this member has told a process at the meeting point that does not answer knocks.
  private final class Visit {
    private final InetSocketAddress here;
    private boolean isWarned;
    private @Nullable CompletableFuture<Boolean> told;
    private Deadline pause = Deadline.after(Duration.ZERO, NanoClock.SYSTEM);

    Visit(InetSocketAddress here) {
      this.here = here;
    }

    /// Returns the nanoseconds until the next knock.
    long after(MeetingPoint.There there) {
      if (there != MeetingPoint.There.STRANGER) {
        told = null; // the next process has not been told yet
        return KNOCK_NANOS;
      }
      if (hasMember()) {
        return KNOCK_NANOS; // a member of this world was there a moment ago
      }
      CompletableFuture<Boolean> isWorld = told == null ? tell() : told;
      told = isWorld;
      if (!isWorld.isDone()) {
        pause = Deadline.after(REVISIT, NanoClock.SYSTEM);
        return KNOCK_NANOS;
      }
      if (!isWarned) {
        LOG.log(Level.WARNING, warning(here));
        isWarned = true;
      }
      if (pause.isOver()) {
        told = null; // the visit may have failed since a process was busy
      }
      return isWorld.join() ? KNOCK_NANOS : SELDOM_NANOS;
    }

    /// Reports this world to the world at the meeting point. The future's result is whether a world
    /// is there.
    private CompletableFuture<Boolean> tell() {
      UUID world = OtherWorld.identity(member());
      CompletableFuture<Boolean> isWorld = new CompletableFuture<>();
      Threads.system()
          .start(
              "tensorbus-visit", () -> isWorld.complete(OtherWorld.tell(gate, place, world, here)));
      return isWorld;
    }
  }

  private String warning(InetSocketAddress here) {
    return "rank 0 of this world has left, and the process that listens at "
        + Addresses.text(place)
        + " does not belong to world "
        + OtherWorld.identity(member())
        + ", which can be joined at "
        + Addresses.text(here)
        + "; the two worlds are never merged: stop one of them, then start rank 0 again";
  }
}
