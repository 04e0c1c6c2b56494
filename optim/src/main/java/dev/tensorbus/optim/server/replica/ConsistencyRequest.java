// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import java.util.Set;

/// A trainer's request to change the consistency of a group in some slots, unless they have one
/// with the same or a higher number.
public record ConsistencyRequest(String group, AgreedConsistency consistency, Set<Integer> slots) {
  /// Copies the slots.
  public ConsistencyRequest {
    slots = Set.copyOf(slots);
  }
}
