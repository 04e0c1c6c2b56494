// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.recurrent;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.op.recurrent.RecurrentOps;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/// Runs one layer of a recurrent network, in one direction, over packed sequences. Consecutive
/// steps with the same number of sequences run as one operation on a dense batch. Between two such
/// operations, some sequences end (or begin, in the backward direction).
final class PackedRecurrence {
  private final List<Steps> all = new ArrayList<>();

  /// Consecutive steps with the same number of sequences.
  ///
  /// @param start the index of their first value
  private record Steps(int start, int count, int batch) {
    Tensor of(Tensor data) {
      return data.slice(0, start, start + count * batch)
          .reshape(count, batch, data.shape().size(1));
    }
  }

  PackedRecurrence(List<Integer> batchSizes) {
    int start = 0;
    for (int first = 0, end; first < batchSizes.size(); first = end) {
      int batch = batchSizes.get(first);
      end = batchSizes.lastIndexOf(batch) + 1;
      all.add(new Steps(start, end - first, batch));
      start += (end - first) * batch;
    }
  }

  /// Does the same as [RecurrentOps#recurrent] for packed data `[values, inputs]`.
  List<Tensor> recurrent(
      CellKind kind, Tensor data, List<Tensor> state, List<Tensor> weights, boolean reverse) {
    List<Steps> inOrder = reverse ? all.reversed() : all;
    Deque<List<Tensor>> ended = new ArrayDeque<>();
    List<Tensor> outputs = new ArrayList<>();
    List<Tensor> present = rows(state, 0, inOrder.getFirst().batch);
    for (Steps steps : inOrder) {
      int before = present.getFirst().shape().size(0);
      if (steps.batch < before) {
        ended.addFirst(rows(present, steps.batch, before));
        present = rows(present, 0, steps.batch);
      } else if (steps.batch > before) {
        present = joined(List.of(present, rows(state, before, steps.batch)));
      }
      List<Tensor> results =
          RecurrentOps.recurrent(kind, steps.of(data), present, weights, reverse);
      outputs.add(results.getFirst().reshape(steps.count * steps.batch, -1));
      present = results.subList(1, results.size());
    }
    ended.addFirst(present);
    List<Tensor> results = new ArrayList<>();
    results.add(Tensor.concatenate(reverse ? outputs.reversed() : outputs, 0));
    results.addAll(joined(List.copyOf(ended)));
    return results;
  }

  private static List<Tensor> rows(List<Tensor> state, int first, int end) {
    return state.stream().map(part -> part.slice(0, first, end)).toList();
  }

  /// Concatenates several states: their hidden states and, if there are any, their cell states.
  private static List<Tensor> joined(List<List<Tensor>> states) {
    return IntStream.range(0, states.getFirst().size())
        .mapToObj(i -> Tensor.concatenate(states.stream().map(each -> each.get(i)).toList(), 0))
        .toList();
  }
}
