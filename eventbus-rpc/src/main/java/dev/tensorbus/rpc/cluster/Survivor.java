// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A member of a world that others met at a [MeetingPoint]. When the one who was there is gone it
/// knocks there until somebody of this world is back, so that a new rank 0 finds the world.
public final class Survivor implements MembershipListener, HazelcastInstanceAware {
  private static final System.Logger LOG = System.getLogger(Survivor.class.getName());
  private static final long KNOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// At a stranger's, who writes a line in a log for each.
  private static final long SELDOM_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final InetSocketAddress place;
  private final AtomicBoolean isKnocking = new AtomicBoolean();

  private volatile @Nullable HazelcastInstance hazelcast;

  /// @param place the meeting point
  public Survivor(InetSocketAddress place) {
    this.place = place;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    hazelcast = instance;
  }

  @Override
  public void memberAdded(MembershipEvent event) {}

  @Override
  public void memberRemoved(MembershipEvent event) {
    HazelcastInstance member = hazelcast;
    boolean wasThere = event.getMember().getSocketAddress().equals(place);
    if (wasThere && member != null && isKnocking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("tensorbus-knock").start(() -> knock(member));
    }
  }

  private void knock(HazelcastInstance member) {
    boolean isWarned = false;
    try {
      InetSocketAddress here = member.getCluster().getLocalMember().getSocketAddress();
      String living = Addresses.text(here.getAddress(), here.getPort());
      while (isNobodyThere(member)) {
        boolean isStranger = MeetingPoint.knock(place, living) == MeetingPoint.There.STRANGER;
        if (isStranger && !isWarned && isNobodyThere(member)) {
          LOG.log(Level.WARNING, warning(living));
          isWarned = true;
        }
        LockSupport.parkNanos(isStranger ? SELDOM_NANOS : KNOCK_NANOS);
      }
    } catch (HazelcastInstanceNotActiveException e) {
      LOG.log(Level.DEBUG, "this member has left");
    } finally {
      isKnocking.set(false);
    }
  }

  private boolean isNobodyThere(HazelcastInstance member) {
    return member.getLifecycleService().isRunning()
        && member.getCluster().getMembers().stream()
            .map(Member::getSocketAddress)
            .noneMatch(place::equals);
  }

  private String warning(String living) {
    return "rank 0 of this world is gone, and what listens at "
        + place
        + " is not of this world, which can be met at "
        + living
        + "; the two are never joined: stop one of them, then start rank 0 again";
  }
}
