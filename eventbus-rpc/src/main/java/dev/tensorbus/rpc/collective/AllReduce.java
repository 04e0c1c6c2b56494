// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.wire.CollectiveRound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Combines the values that all members of a round contributed. In an all-reduce, the leader adds
/// the tensors and each member gets only the sums.
final class AllReduce {
  /// The name of the operation that sums tensors.
  static final String SUM = "allReduce";

  private AllReduce() {}

  /// Returns the result that every member of a round gets: the values by worker name or, for an
  /// all-reduce, only the sums, under the leader's name.
  static Map<String, @Nullable Object> of(
      CollectiveRound round, Map<String, @Nullable Object> byRank) {
    return round.operation().equals(SUM) ? Map.of(round.leader(), sum(byRank)) : byRank;
  }

  /// Returns the sums of the tensors, or an error message if the tensors do not match. Adds in the
  /// order of ranks, so that all runs give identical bits.
  private static Object sum(Map<String, @Nullable Object> byRank) {
    try {
      return NoGrad.call(
          () -> byRank.values().stream().map(AllReduce::tensors).reduce(AllReduce::add).get());
    } catch (IllegalArgumentException e) {
      return "the tensors of "
          + String.join(", ", byRank.keySet())
          + " do not match: "
          + e.getMessage();
    }
  }

  @SuppressWarnings("unchecked") // members of such a round contribute lists of tensors
  private static List<@Nullable Tensor> tensors(@Nullable Object brought) {
    return (List<@Nullable Tensor>) Objects.requireNonNull(brought);
  }

  private static List<@Nullable Tensor> add(
      List<@Nullable Tensor> sums, List<@Nullable Tensor> more) {
    if (sums.size() != more.size()) {
      throw new IllegalArgumentException(sums.size() + " tensors and " + more.size());
    }
    List<@Nullable Tensor> result = new ArrayList<>();
    for (int index = 0; index < sums.size(); index++) {
      result.add(add(sums.get(index), more.get(index)));
    }
    return result;
  }

  private static @Nullable Tensor add(@Nullable Tensor sum, @Nullable Tensor more) {
    if (sum == null || more == null) {
      return sum == null ? more : sum;
    }
    if (!sum.shape().equals(more.shape()) || sum.dtype() != more.dtype()) {
      throw new IllegalArgumentException(
          sum.dtype() + " " + sum.shape() + " and " + more.dtype() + " " + more.shape());
    }
    return sum.add(more);
  }
}
