// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

/// The consistency of a group in one slot.
///
/// @param number the number of its changes, of which slots keep the one with the highest
/// @param text the text of the [Consistency][dev.tensorbus.optim.server.consistency.Consistency]
public record AgreedConsistency(long number, String text) {}
