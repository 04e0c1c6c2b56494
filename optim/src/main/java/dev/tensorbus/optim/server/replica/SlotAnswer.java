// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.SlotMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The answer of a server to a trainer's request.
///
/// @param versions the versions by slot. Slots of which this server is not the primary are missing,
///     and then perhaps others that would have had to wait
/// @param map the server's current map if slots are missing, else null
public record SlotAnswer(Map<Integer, Long> versions, @Nullable SlotMap map) {}
