// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.util.Map;
import java.util.Set;

/// A request for the values of some slots of a group.
///
/// @param known the versions that the caller has, by slot; 0 if it has none. Other values are
///     returned
/// @param atLeast the answer waits until all versions are at least this one, or until the caller
///     has to compute shards of the step before it
/// @param atMost the highest version that the caller can use
/// @param computed the shards of the step before `atLeast` that the caller has computed
public record PullRequest(
    Life trainer,
    String group,
    Map<Integer, Long> known,
    long atLeast,
    long atMost,
    Set<Integer> computed) {}
