// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.slot.Life;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// A request to join a group in some slots, or only to define it there.
///
/// @param trainer the trainer that joins, or null if none does
/// @param settings the group's settings
/// @param values the first values by slot and piece, used where the group is not defined yet
public record JoinRequest(
    @Nullable Life trainer,
    GroupSettings settings,
    Map<Integer, SortedMap<String, Tensor>> values) {}
