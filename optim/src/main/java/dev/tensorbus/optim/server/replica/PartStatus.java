// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.util.SortedMap;

/// What a primary knows of a part, for people to look at.
///
/// @param version the version of its values
/// @param clocks the clocks of the trainers that are present
public record PartStatus(long version, SortedMap<Life, Long> clocks) {}
