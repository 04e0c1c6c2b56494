// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The examples of one step: the inputs of a network, and the results that it should give.
///
/// @param inputs one row per example
/// @param targets one row per example: values to come near, or classes as int64 `[n]`
public record Batch(Tensor inputs, Tensor targets) {
  /// @throws ShapeException if there are more or fewer inputs than targets
  public Batch {
    if (count(inputs) != count(targets)) {
      throw new ShapeException(
          "batch",
          "inputs %s and targets %s are not equally many; give one target for each input"
              .formatted(inputs.shape(), targets.shape()));
    }
  }

  private static int count(Tensor rows) {
    return rows.shape().rank() == 0 ? 1 : rows.shape().size(0);
  }

  /// The number of examples.
  public int size() {
    return count(inputs);
  }

  /// The classes, where the targets are classes.
  ///
  /// @throws IllegalStateException if they are values
  public int[] labels() {
    return Arrays.stream(targets.longs()).mapToInt(Math::toIntExact).toArray();
  }

  /// Stacks the inputs, which must have one shape: the `collate` of a [DataLoader].
  ///
  /// @throws IllegalArgumentException if the shapes differ or there are none
  public static Batch of(List<Example> examples) {
    return new Batch(
        Tensor.stack(examples.stream().map(Example::input).toList(), 0),
        Tensor.ofLongs(examples.stream().mapToLong(Example::label).toArray()));
  }

  /// The examples of several batches, one after the other.
  ///
  /// @throws IllegalArgumentException if the shapes of their rows differ or there are none
  public static Batch concatenate(List<Batch> batches) {
    return new Batch(
        Tensor.concatenate(batches.stream().map(Batch::inputs).toList(), 0),
        Tensor.concatenate(batches.stream().map(Batch::targets).toList(), 0));
  }

  /// All examples of a data set, in their order.
  public static Batch of(Dataset<Example> examples) {
    return of(IntStream.range(0, examples.size()).mapToObj(examples::get).toList());
  }
}
