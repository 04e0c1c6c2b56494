// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.wire.Sender;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The calls that one life of a worker has yet to answer. Their numbers belong to this worker and
/// that one: calls to others do not count.
final class Association {
  private final Sender peer;
  private final Map<Long, PendingCall<?>> calls = new HashMap<>();
  private long last;

  /// The least number of a call that waits, or else of the next one.
  private long firstIncomplete = 1;

  private boolean isOver;

  Association(Sender peer) {
    this.peer = peer;
  }

  /// The worker that is to answer.
  Sender peer() {
    return peer;
  }

  /// Whether any call waits.
  synchronized boolean waits() {
    return !calls.isEmpty();
  }

  /// Numbers a call and notes it; whether the other worker is still there.
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

  /// Whether it was there.
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

  /// Takes no more calls; those that wait.
  synchronized List<PendingCall<?>> end() {
    isOver = true;
    return List.copyOf(calls.values());
  }
}
