// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// A request for the values and the optimizer's state of some slots of a group, or for its
/// trainers.
public record StateRequest(String group, Set<Integer> slots) {
  /// Copies the set.
  public StateRequest {
    slots = Set.copyOf(slots);
  }

  /// Returns the slots as keys.
  Map<Integer, Integer> bySlot() {
    return slots.stream().collect(Collectors.toMap(slot -> slot, slot -> slot));
  }
}
