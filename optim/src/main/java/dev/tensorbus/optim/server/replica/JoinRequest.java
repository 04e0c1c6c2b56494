// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Piece;
import java.util.Map;
import java.util.SortedMap;

/// A trainer's request to join a group in some slots.
///
/// @param settings the group's settings
/// @param values the first values by slot and [Piece], used where the group is not defined yet
public record JoinRequest(
    Life trainer, GroupSettings settings, Map<Integer, SortedMap<String, Tensor>> values) {}
