// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The forks that this worker holds of what others own.
final class HeldForks {
  private final Map<GlobalId, Held> held = new HashMap<>();
  private final Tombstones refused = new Tombstones();

  /// A fork.
  ///
  /// @param id the reference
  /// @param owner who has the object
  /// @param site where the reference came to be, or null if that is not asked for
  record Held(GlobalId id, Sender owner, @Nullable Throwable site) {}

  /// Takes a fork that has come.
  ///
  /// @throws WireException if its sender has given it up
  synchronized void add(GlobalId fork, Held one) {
    if (refused.contains(fork)) {
      throw new WireException(
          "a reference came after its sender had given up the call that it came with", null);
    }
    held.put(fork, one);
  }

  synchronized void remove(GlobalId fork) {
    held.remove(fork);
  }

  /// Of these forks, those that never came; they will not be taken any more.
  synchronized List<GlobalId> refuseMissing(List<GlobalId> forks) {
    List<GlobalId> missing = forks.stream().filter(fork -> !held.containsKey(fork)).toList();
    missing.forEach(refused::add);
    return missing;
  }

  /// Forgets the forks of what a worker owned that has left.
  synchronized void workerLost(Sender owner) {
    held.values().removeIf(one -> one.owner().equals(owner));
  }

  synchronized List<Held> all() {
    return List.copyOf(held.values());
  }

  synchronized int size() {
    return held.size();
  }
}
