// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.util.Set;

/// A trainer's request to leave a group in some slots.
public record LeaveRequest(Life trainer, String group, Set<Integer> slots) {
  /// Copies the slots.
  public LeaveRequest {
    slots = Set.copyOf(slots);
  }
}
