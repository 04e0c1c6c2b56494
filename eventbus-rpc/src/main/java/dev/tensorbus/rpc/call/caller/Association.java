// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.wire.Sender;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The pending calls to one incarnation of a worker. Calls are numbered separately for each pair of
/// workers.
final class Association {
  private final Sender peer;
  private final Map<Long, PendingCall<?>> calls = new HashMap<>();
  private long last;

  /// The lowest number of a pending call, or the number of the next call if none is pending.
  private long firstIncomplete = 1;

  private boolean isOver;

  Association(Sender peer) {
    this.peer = peer;
  }

  /// Returns the callee.
  Sender peer() {
    return peer;
  }

  /// Returns whether any call is pending.
  synchronized boolean waits() {
    return !calls.isEmpty();
  }

  /// Numbers and registers a call. Returns false if the callee has left.
  synchronized boolean add(PendingCall<?> call) {
    if (isOver) {
      return false;
    }
    last++;
    call.number(last, firstIncomplete);
    calls.put(last, call);
    return true;
  }

  synchronized @Nullable PendingCall<?> get(long number) {
    return calls.get(number);
  }

  /// Removes a call. Returns whether it was registered.
  synchronized boolean remove(long number) {
    boolean was = calls.remove(number) != null;
    while (firstIncomplete <= last && !calls.containsKey(firstIncomplete)) {
      firstIncomplete++;
    }
    return was;
  }

  synchronized List<PendingCall<?>> calls() {
    return List.copyOf(calls.values());
  }

  /// Closes the association and returns the calls still pending.
  synchronized List<PendingCall<?>> end() {
    isOver = true;
    return List.copyOf(calls.values());
  }
}
