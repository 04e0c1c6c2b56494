// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/// A batch of examples for one training step: inputs and targets.
///
/// @param inputs one row per example
/// @param targets one row per example: values, or class indices as int64 `[n]`
public record Batch(Tensor inputs, Tensor targets) {
  /// @throws ShapeException if the number of inputs differs from the number of targets
  public Batch {
    if (count(inputs) != count(targets)) {
      throw new ShapeException(
          "batch",
          "inputs %s and targets %s have different sizes; pass one target for each input"
              .formatted(inputs.shape(), targets.shape()));
    }
  }

  private static int count(Tensor rows) {
    return rows.shape().rank() == 0 ? 1 : rows.shape().size(0);
  }

  /// Returns the number of examples.
  public int size() {
    return count(inputs);
  }

  /// Combines examples into a batch. Use it as the `collate` function of a [DataLoader].
  ///
  /// @throws IllegalArgumentException if the shapes of the inputs differ, or there are no examples
  public static Batch of(List<Example> examples) {
    return new Batch(
        Tensor.stack(examples.stream().map(Example::input).toList(), 0),
        Tensor.ofLongs(examples.stream().mapToLong(Example::label).toArray()));
  }

  /// Concatenates batches.
  ///
  /// @throws IllegalArgumentException if the shapes of their rows differ, or there are no batches
  public static Batch concatenate(List<Batch> batches) {
    return new Batch(
        Tensor.concatenate(batches.stream().map(Batch::inputs).toList(), 0),
        Tensor.concatenate(batches.stream().map(Batch::targets).toList(), 0));
  }

  /// Returns all examples of a data set, in order, as one batch.
  public static Batch of(Dataset<Example> examples) {
    return of(IntStream.range(0, examples.size()).mapToObj(examples::get).toList());
  }
}
