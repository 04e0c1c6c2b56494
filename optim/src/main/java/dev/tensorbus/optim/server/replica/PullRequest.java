// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import java.util.Map;

/// A request for the values of some slots of a group.
///
/// @param known the versions that the caller has, by slot; 0 if it has none. Values are returned if
///     they are newer
/// @param atLeast the answer waits until all versions are at least this one
public record PullRequest(String group, Map<Integer, Long> known, long atLeast) {}
