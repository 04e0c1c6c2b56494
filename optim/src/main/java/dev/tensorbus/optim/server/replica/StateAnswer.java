// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import java.util.Map;
import java.util.Set;

/// The answer to a [StateRequest].
///
/// @param answer the versions by slot, and the slots that the server does not have
/// @param states the states by slot
/// @param consistencies the texts of the current consistencies of the slots
public record StateAnswer(
    SlotAnswer answer, Map<Integer, SlotState> states, Set<String> consistencies) {}
