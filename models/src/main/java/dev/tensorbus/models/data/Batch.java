// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/// The examples of one step and the classes that a network should name.
///
/// @param inputs one row per example
/// @param labels the class of each row
public record Batch(Tensor inputs, int[] labels) {
  /// The number of examples.
  public int size() {
    return labels.length;
  }

  /// Stacks the inputs, which must have one shape: the `collate` of a [DataLoader].
  ///
  /// @throws IllegalArgumentException if the shapes differ or there are none
  public static Batch of(List<Example> examples) {
    return new Batch(
        Tensor.stack(examples.stream().map(Example::input).toList(), 0),
        examples.stream().mapToInt(Example::label).toArray());
  }

  /// All examples of a data set, in their order.
  public static Batch of(Dataset<Example> examples) {
    return of(IntStream.range(0, examples.size()).mapToObj(examples::get).toList());
  }
}
