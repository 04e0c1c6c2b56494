// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

/// A worker that has left the world or been lost.
///
/// @param cause why the worker left or was lost
public record Departure(Member member, DepartureCause cause) {}
