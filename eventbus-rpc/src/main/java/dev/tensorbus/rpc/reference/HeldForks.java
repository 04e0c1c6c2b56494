// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The forks of other workers' objects that this worker holds.
public final class HeldForks {
  private final Map<GlobalId, HeldFork> held = new HashMap<>();
  private final Tombstones<GlobalId> refused = new Tombstones<>();

  /// Adds a fork.
  ///
  /// @throws WireException if the sender has given the fork up
  public synchronized void add(HeldFork fork) {
    requireWanted(fork.names().fork());
    held.put(fork.names().fork(), fork);
  }

  /// Looks up the object of a fork that has returned to the object's owner. A sender that then
  /// learns from [#refuseMissing] that the fork is missing gives its own fork up afterwards, so
  /// that the object is dropped after the lookup, not before it.
  ///
  /// @param lookup returns the reference to the object
  /// @throws WireException if the sender has given the fork up
  public synchronized <R> R returned(GlobalId fork, Supplier<R> lookup) {
    requireWanted(fork);
    return lookup.get();
  }

  private void requireWanted(GlobalId fork) {
    if (refused.contains(fork)) {
      throw new WireException(
          "a reference arrived after its sender had cancelled the call that carried it", null);
    }
  }

  public synchronized void remove(HeldFork fork) {
    held.remove(fork.names().fork());
  }

  /// Returns the forks among `forks` that have not arrived. They will be rejected if they arrive
  /// later.
  public synchronized List<GlobalId> refuseMissing(List<GlobalId> forks) {
    List<GlobalId> missing = forks.stream().filter(fork -> !held.containsKey(fork)).toList();
    missing.forEach(refused::add);
    return missing;
  }

  /// Drops the forks of a departed owner's objects.
  public synchronized void workerLost(Sender owner) {
    held.values().removeIf(fork -> fork.owner().equals(owner));
  }

  public synchronized List<HeldFork> all() {
    return List.copyOf(held.values());
  }

  public synchronized int size() {
    return held.size();
  }
}
