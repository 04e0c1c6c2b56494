// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.server.slot.Piece;
import java.util.Map;
import java.util.SortedMap;

/// The answer to a [PullRequest].
///
/// @param answer the versions by slot, and the slots that the server does not have
/// @param values the values by slot and [Piece] that are newer than the caller's
public record PullAnswer(SlotAnswer answer, Map<Integer, SortedMap<String, Tensor>> values) {}
