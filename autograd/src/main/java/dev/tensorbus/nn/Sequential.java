// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import java.util.List;

/// Layers and functions, each of which takes the result of the one before. After
/// `torch.nn.Sequential`.
///
/// ```java
/// var net =
///     new Sequential(
///         new Flatten(), new Linear(784, 64, random), new Relu(), new Linear(64, 10, random));
/// ```
///
/// Parts have their number for a name, from 0, as in torch: the first weights above are
/// `1.weight`. A function has a number, too, and no state.
public final class Sequential extends Layer implements Forward {
  private final List<Forward> parts;

  /// Makes a layer of these parts.
  public Sequential(Forward... parts) {
    this.parts = List.of(parts);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] instanceof Layer layer) {
        child(Integer.toString(i), layer);
      }
    }
  }

  /// The parts, in their order.
  public List<Forward> parts() {
    return parts;
  }

  /// Takes the first part's input and gives the last part's result.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if a part does not take the result of the one
  ///     before
  @Override
  public Tensor forward(Tensor x) {
    Tensor result = x;
    for (Forward part : parts) {
      result = part.forward(result);
    }
    return result;
  }
}
