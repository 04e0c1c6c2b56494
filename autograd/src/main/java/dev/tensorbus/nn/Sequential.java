// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import java.util.List;

/// A chain of layers and functions, each applied to the output of the previous one. Like
/// `torch.nn.Sequential`.
///
/// ```java
/// var net =
///     new Sequential(
///         new Flatten(), new Linear(784, 64, random), new Relu(), new Linear(64, 10, random));
/// ```
///
/// Parts are named by their index, as in torch: the first weight above is `1.weight`. A function
/// also has an index, but no state.
public final class Sequential extends Layer implements Forward {
  private final List<Forward> parts;

  /// Creates a chain of the given parts.
  public Sequential(Forward... parts) {
    this.parts = List.of(parts);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof Layer layer) {
        child(Integer.toString(i), layer);
      }
    }
  }

  /// Returns the parts in order.
  public List<Forward> parts() {
    return parts;
  }

  /// Applies all parts in order.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if the input of a part has an incompatible
  ///     shape
  @Override
  public Tensor forward(Tensor x) {
    Tensor result = x;
    for (Forward part : parts) {
      result = part.forward(result);
    }
    return result;
  }
}
