// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.optim.server.slot.SlotMap;
import org.jspecify.annotations.Nullable;

/// A server's answer to a worker that waits for the next map.
///
/// @param map the newest map that the server knows, or null if the worker has it
/// @param lease the nanoseconds for which no other map can have become valid unnoticed
record MapAnswer(@Nullable SlotMap map, long lease) {}
