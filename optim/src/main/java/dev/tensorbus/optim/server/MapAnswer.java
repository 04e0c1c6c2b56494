// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.slot.SlotMap;
import org.jspecify.annotations.Nullable;

/// A voter's answer to a server that does not vote.
///
/// @param map the voter's map, or null if the server has it
/// @param lease the nanoseconds for which no other map can have become valid unnoticed
record MapAnswer(@Nullable SlotMap map, long lease) {}
