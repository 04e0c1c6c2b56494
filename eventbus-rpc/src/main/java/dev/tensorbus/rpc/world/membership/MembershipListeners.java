// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.execution.Listeners;
import dev.tensorbus.rpc.wire.Sender;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The user's listeners for workers that join or are lost.
public final class MembershipListeners {
  private static final System.Logger LOG = System.getLogger(MembershipListeners.class.getName());

  private final WorkerInfo self;
  private final Predicate<Sender> misses;
  private final Listeners<WorkerInfo> joined = new Listeners<>();
  private final Listeners<WorkerInfo> lost = new Listeners<>();

  /// @param misses returns whether a departed worker counts as lost
  public MembershipListeners(WorkerInfo self, Predicate<Sender> misses) {
    this.self = self;
    this.misses = misses;
  }

  public void onJoined(Consumer<WorkerInfo> listener) {
    joined.add(listener);
  }

  public void onLost(Consumer<WorkerInfo> listener) {
    lost.add(listener);
  }

  public void arrived(Member newcomer) {
    joined.tell(newcomer.info());
  }

  public void departed(Departure departure) {
    Member gone = departure.member();
    if (misses.test(gone.sender())) {
      WorkerInfo info = gone.info();
      String how = departure.cause().verb();
      LOG.log(
          Level.WARNING, "{0} lost {1}, rank {2}, which {3}", self, info.name(), info.id(), how);
      lost.tell(info);
    }
  }
}
