// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import java.util.Map;

/// The answer to a [JoinRequest].
///
/// @param answer the versions by slot, and the slots that the server does not have
/// @param clocks the trainer's [clocks][dev.tensorbus.optim.server.consistency.Clocks] by slot
public record JoinAnswer(SlotAnswer answer, Map<Integer, Long> clocks) {}
