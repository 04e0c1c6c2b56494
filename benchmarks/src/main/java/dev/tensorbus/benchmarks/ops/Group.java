// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// A group of related operations. A subclass adds them in its constructor, under their names in the
/// PyTorch benchmarks.
///
/// `fb` in a name means a forward and a backward pass. The backward pass uses the result as its own
/// gradient.
abstract class Group {
  /// The source of all random values.
  final SplittableRandom random = new SplittableRandom(1);

  private final String name;
  private final List<Operation> operations = new ArrayList<>();

  Group(String name) {
    this.name = name;
  }

  /// Returns the operations, in the order in which they are measured.
  final List<Operation> operations() {
    return List.copyOf(operations);
  }

  /// Adds an operation.
  ///
  /// @param preparation creates the data and returns the work to measure
  final void add(String operation, Supplier<Runnable> preparation) {
    operations.add(new Operation(name + "." + operation, preparation));
  }

  /// Adds a forward pass over a tensor of these sizes, without recording a graph.
  final void forward(String operation, UnaryOperator<Tensor> function, int... sizes) {
    add(
        operation,
        () -> {
          Tensor x = randn(sizes);
          return () -> Objects.requireNonNull(function.apply(x));
        });
  }

  /// Adds a forward pass over two tensors of these shapes, without recording a graph.
  final void forward(String operation, BinaryOperator<Tensor> function, Shape a, Shape b) {
    add(
        operation,
        () -> {
          Tensor x = randn(a.toArray());
          Tensor y = randn(b.toArray());
          return () -> Objects.requireNonNull(function.apply(x, y));
        });
  }

  /// Adds a forward and a backward pass over a leaf of these sizes.
  final void forwardBackward(String operation, UnaryOperator<Tensor> function, int... sizes) {
    add(
        operation,
        () -> {
          Tensor x = leaf(sizes);
          return () -> backward(function.apply(x), x);
        });
  }

  /// Returns a tensor of standard normal values.
  final Tensor randn(int... sizes) {
    return Tensor.randn(random, sizes);
  }

  /// Returns a tensor of standard normal values that requires a gradient.
  final Tensor leaf(int... sizes) {
    return Tensor.parameterOf(randn(sizes));
  }

  /// Returns random int64 values in `[0, bound)`.
  final Tensor indices(int bound, int... sizes) {
    Shape shape = Shape.of(sizes);
    return Tensor.of(shape, random.longs(shape.elements(), 0, bound).toArray());
  }

  /// Runs the backward pass of a result, with the result as its gradient, and drops the gradients
  /// of the leaves.
  static void backward(Tensor result, Tensor... leaves) {
    Backward.from(result, result.detach()).run();
    for (Tensor leaf : leaves) {
      leaf.zeroGrad();
    }
  }
}
