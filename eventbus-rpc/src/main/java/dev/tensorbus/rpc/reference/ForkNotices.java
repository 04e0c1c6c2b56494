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

/// Tells other workers which forks have arrived and which are given up. Each worker gets one call
/// at a time; notices that come up meanwhile are sent together in the next.
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

  /// Tells `parent` that these forks have arrived (G2).
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

  /// Tells `owner` that a fork is given up (G3).
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

  /// The other worker has left, or this one: no more notices are needed.
  private synchronized void forget(Sender to) {
    waiting.remove(to);
  }
}
