// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The outcome of a round of a collective, the same for each of its members.
///
/// @param values each member's value, by rank; empty if one is missing
/// @param missing the members that did not come
/// @param left whether the missing members have left the world, or were only late
/// @param limitNanos how long they were waited for
public record RoundEnd(
    Map<String, @Nullable Object> values, List<String> missing, boolean left, long limitNanos) {
  /// All members have come.
  public static RoundEnd of(Map<String, @Nullable Object> values) {
    return new RoundEnd(values, List.of(), false, 0);
  }

  /// These members did not come in time.
  public static RoundEnd late(List<String> missing, long limitNanos) {
    return new RoundEnd(Map.of(), missing, false, limitNanos);
  }

  /// This member has left the world.
  public static RoundEnd left(String missing) {
    return new RoundEnd(Map.of(), List.of(missing), true, 0);
  }
}
