// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import java.util.Map;

/// The answer to a [ConsistencyRequest].
///
/// @param answer the versions by slot, and the slots that the server does not have
/// @param consistencies the consistency afterwards by slot
public record ConsistencyAnswer(SlotAnswer answer, Map<Integer, AgreedConsistency> consistencies) {}
