// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/// The answer to a [PullRequest].
///
/// @param answer the versions of the values by slot, and the slots that the server does not have
/// @param values the values by slot and piece that the caller does not have
/// @param open the shards by slot that the caller has to compute from values of these versions.
///     Slots that do not know the caller as a trainer are missing
public record PullAnswer(
    SlotAnswer answer,
    Map<Integer, SortedMap<String, Tensor>> values,
    Map<Integer, Set<Integer>> open) {}
