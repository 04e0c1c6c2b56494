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

/// Operations of one kind. A subclass lists them in its constructor, under the names that they have
/// on PyTorch.
///
/// An operation with `fb` in its name is a forward and a backward pass. The gradient of its result
/// is the result itself.
abstract class Group {
  /// The source of all values.
  final SplittableRandom random = new SplittableRandom(1);

  private final String name;
  private final List<Operation> operations = new ArrayList<>();

  Group(String name) {
    this.name = name;
  }

  /// The operations, in the order in which they are measured.
  final List<Operation> operations() {
    return List.copyOf(operations);
  }

  /// Adds an operation.
  ///
  /// @param preparation makes its data and gives the work on them
  final void add(String operation, Supplier<Runnable> preparation) {
    operations.add(new Operation(name + "." + operation, preparation));
  }

  /// Adds a forward pass over a tensor of these sizes, without a graph.
  final void forward(String operation, UnaryOperator<Tensor> function, int... sizes) {
    add(
        operation,
        () -> {
          Tensor x = randn(sizes);
          return () -> Objects.requireNonNull(function.apply(x));
        });
  }

  /// Adds a forward pass over two tensors of these shapes, without a graph.
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

  /// Standard normal values.
  final Tensor randn(int... sizes) {
    return Tensor.randn(random, sizes);
  }

  /// The same, whose gradient is wanted.
  final Tensor leaf(int... sizes) {
    return Tensor.parameterOf(randn(sizes));
  }

  /// Int64 numbers below `bound`.
  final Tensor indices(int bound, int... sizes) {
    Shape shape = Shape.of(sizes);
    return Tensor.ofStorage(shape, random.longs(shape.elements(), 0, bound).toArray());
  }

  /// Runs the backward pass of a result with itself as its gradient, and drops what the leaves get.
  static void backward(Tensor result, Tensor... leaves) {
    Backward.from(result, result.detach()).run();
    for (Tensor leaf : leaves) {
      leaf.zeroGrad();
    }
  }
}
