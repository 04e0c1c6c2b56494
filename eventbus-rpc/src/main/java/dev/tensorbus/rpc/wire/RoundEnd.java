// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The outcome of a round of a collective operation, which is the same for all members.
///
/// @param values each member's value by the member's name, in the order of ranks; empty if a member
///     is missing
/// @param missing the members that did not join the round
/// @param left whether the missing members have left the world; otherwise they were only late
/// @param limitNanos how long the round waited for them
public record RoundEnd(
    Map<String, @Nullable Object> values, List<String> missing, boolean left, long limitNanos) {
  /// Returns the outcome of a round that all members joined.
  public static RoundEnd of(Map<String, @Nullable Object> values) {
    return new RoundEnd(values, List.of(), false, 0);
  }

  /// Returns the outcome of a round that these members did not join in time.
  public static RoundEnd late(List<String> missing, long limitNanos) {
    return new RoundEnd(Map.of(), missing, false, limitNanos);
  }

  /// Returns the outcome of a round during which this member left the world.
  public static RoundEnd left(String missing) {
    return new RoundEnd(Map.of(), List.of(missing), true, 0);
  }
}
