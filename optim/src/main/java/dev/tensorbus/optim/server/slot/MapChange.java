// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.slot;

import java.util.List;

/// A change of a [SlotMap].
public sealed interface MapChange {
  /// A server has joined.
  record Joined(Life server) implements MapChange {}

  /// A server will leave when other servers have its slots. Does not apply to the last server.
  record Leaving(Life server) implements MapChange {}

  /// A server has died or left.
  record Left(Life server) implements MapChange {}

  /// A server has received copies of slots and all their later changes. Does not apply to a slot
  /// with another primary by now, nor if the servers have changed: the primary may not have sent
  /// the changes any more.
  ///
  /// @param slots the slots
  /// @param primary the primary that has sent the copies
  /// @param serversSince [SlotMap#serversSince] of the primary's map
  record Filled(Life server, List<Integer> slots, Life primary, long serversSince)
      implements MapChange {
    /// Copies the list.
    public Filled {
      slots = List.copyOf(slots);
    }
  }
}
