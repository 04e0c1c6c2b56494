// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.world.membership;

/// A worker that is gone.
///
/// @param cause why it is gone
public record Departure(Member member, DepartureCause cause) {}
