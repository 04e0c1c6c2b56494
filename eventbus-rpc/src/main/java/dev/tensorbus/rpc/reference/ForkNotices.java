// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RemoteFunction.V2;
import dev.tensorbus.rpc.call.ControlCalls;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Notifies other workers of forks that have arrived or have been given up. At most one call to
/// each worker is pending; notices that accumulate until it ends are sent together in the next
/// call.
final class ForkNotices {
  private final ControlCalls control;
  private final Map<Sender, Batch> waiting = new HashMap<>();

  ForkNotices(ControlCalls control) {
    this.control = control;
  }

  private static final class Batch {
    private final List<GlobalId> taken = new ArrayList<>();
    private final List<ForkId> released = new ArrayList<>();
  }

  /// Notifies `parent` that these forks have arrived (G2).
  void taken(Sender parent, List<GlobalId> forks) {
    boolean isFirst;
    synchronized (this) {
      isFirst = !waiting.containsKey(parent);
      batch(parent).taken.addAll(forks);
    }
    if (isFirst) {
      sendNext(parent);
    }
  }

  /// Notifies `owner` that a fork has been given up (G3).
  void released(Sender owner, ForkId fork) {
    boolean isFirst;
    synchronized (this) {
      isFirst = !waiting.containsKey(owner);
      batch(owner).released.add(fork);
    }
    if (isFirst) {
      sendNext(owner);
    }
  }

  private Batch batch(Sender to) {
    return waiting.computeIfAbsent(to, key -> new Batch());
  }

  private void sendNext(Sender to) {
    Batch batch;
    synchronized (this) {
      batch = waiting.put(to, new Batch());
      if (batch == null || (batch.taken.isEmpty() && batch.released.isEmpty())) {
        waiting.remove(to);
        return;
      }
    }
    Call<Void> settle =
        Call.of((V2<List<GlobalId>, List<ForkId>>) References::settle, batch.taken, batch.released);
    control.send(to, settle).onSuccess(done -> sendNext(to)).onFailure(error -> forget(to));
  }

  /// Drops the notices to a worker. They are no longer needed, because that worker or this one has
  /// left.
  private synchronized void forget(Sender to) {
    waiting.remove(to);
  }
}
