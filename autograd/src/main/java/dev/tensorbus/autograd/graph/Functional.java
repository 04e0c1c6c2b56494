// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Derivatives of functions of tensors: products with the Jacobian (the matrix of first
/// derivatives) and the Hessian (the matrix of second derivatives), without computing these
/// matrices. Like `torch.autograd.functional`.
///
/// Results can be differentiated again if an input or vector requires a gradient, so derivatives of
/// any order are possible. Results are zero for inputs that the function does not depend on.
public final class Functional {
  private Functional() {}

  /// Returns `vᵀ · J`, computed by one backward pass.
  ///
  /// @param v a tensor with the shape of the function's result
  /// @return one tensor for each input, with the shape of the input
  /// @throws ShapeException if `v` has a different shape
  public static List<Tensor> vjp(
      Function<List<Tensor>, Tensor> function, List<Tensor> inputs, Tensor v) {
    List<Tensor> own = own(inputs);
    Tensor y = NoGrad.suspend(() -> function.apply(own));
    requireShape("vjp", v, y.shape());
    return gradients(List.of(y), List.of(v), own, isRecorded(inputs, List.of(v)));
  }

  /// Returns `J · v`, computed as the derivative of [#vjp] with respect to its vector, at about
  /// three times the cost of the function.
  ///
  /// @param v one tensor for each input, with the shape of the input
  /// @return a tensor with the shape of the function's result
  /// @throws ShapeException if the shapes differ
  public static Tensor jvp(
      Function<List<Tensor>, Tensor> function, List<Tensor> inputs, List<Tensor> v) {
    requireShapes("jvp", v, inputs);
    List<Tensor> own = own(inputs);
    Tensor y = NoGrad.suspend(() -> function.apply(own));
    // The values do not matter, because the product is linear in this vector.
    Tensor vector = Tensor.parameterOf(Tensor.full(y.shape(), y.dtype(), 0));
    List<Tensor> products = gradients(List.of(y), List.of(vector), own, true);
    return gradients(products, v, List.of(vector), isRecorded(inputs, v)).getFirst();
  }

  /// Returns the product of the Hessian and a vector, for a function whose result is a single
  /// value. It is the derivative of the gradient in the direction of `v`.
  ///
  /// @param v one tensor for each input, with the shape of the input
  /// @return one tensor for each input, with the shape of the input
  /// @throws ShapeException if the shapes differ, or the function's result has several values
  public static List<Tensor> hvp(
      Function<List<Tensor>, Tensor> function, List<Tensor> inputs, List<Tensor> v) {
    requireShapes("hvp", v, inputs);
    List<Tensor> own = own(inputs);
    Tensor y = NoGrad.suspend(() -> function.apply(own));
    if (y.shape().numel() != 1) {
      throw new ShapeException("hvp", "the function returns " + y.shape() + ", not a single value");
    }
    Tensor one = Tensor.full(y.shape(), y.dtype(), 1);
    List<Tensor> gradients = gradients(List.of(y), List.of(one), own, true);
    return gradients(gradients, v, own, isRecorded(inputs, v));
  }

  /// Computes the Jacobian itself, with one backward pass for each value of the result.
  ///
  /// @return one tensor for each input, with the axes of the result followed by the axes of the
  ///     input
  public static List<Tensor> jacobian(
      Function<List<Tensor>, Tensor> function, List<Tensor> inputs) {
    List<Tensor> own = own(inputs);
    Tensor y = NoGrad.suspend(() -> function.apply(own));
    boolean isRecorded = isRecorded(inputs, List.of());
    List<List<Tensor>> rows = new ArrayList<>();
    for (int row = 0; row < y.shape().elements(); row++) {
      rows.add(gradients(List.of(y), List.of(unit(y, row)), own, isRecorded));
    }
    return IntStream.range(0, own.size()).mapToObj(i -> part(rows, i, y, own.get(i))).toList();
  }

  private static Tensor part(List<List<Tensor>> rows, int input, Tensor y, Tensor x) {
    int[] sizes =
        IntStream.concat(IntStream.of(y.shape().toArray()), IntStream.of(x.shape().toArray()))
            .toArray();
    return rows.isEmpty()
        ? Tensor.full(Shape.of(sizes), x.dtype(), 0)
        : Tensor.stack(rows.stream().map(row -> row.get(input)).toList(), 0).reshape(sizes);
  }

  /// Returns a tensor with the shape of `like` that is 1 at the flat index `place` and 0 elsewhere.
  private static Tensor unit(Tensor like, int place) {
    int length = like.shape().elements();
    Tensor row = Tensor.full(Shape.of(1), like.dtype(), 1).pad(0, place, length - place - 1, 0);
    return row.reshape(like.shape().toArray());
  }

  /// Returns copies, so that each input has a separate node in the graph even if the same tensor is
  /// given twice.
  private static List<Tensor> own(List<Tensor> inputs) {
    return inputs.stream()
        .map(
            x ->
                x.requiresGrad() && !NoGrad.isOn()
                    ? x.reshape(x.shape().toArray())
                    : Tensor.parameterOf(x))
        .toList();
  }

  private static boolean isRecorded(List<Tensor> inputs, List<Tensor> v) {
    return !NoGrad.isOn()
        && (inputs.stream().anyMatch(Tensor::requiresGrad)
            || v.stream().anyMatch(Tensor::requiresGrad));
  }

  /// Returns the gradients of the inputs, given the gradients of the results. Skips results that
  /// require no gradient.
  private static List<Tensor> gradients(
      List<Tensor> results, List<Tensor> gradients, List<Tensor> inputs, boolean createsGraph) {
    Backward pass = null;
    for (int i = 0; i < results.size(); i++) {
      Tensor y = results.get(i);
      if (y.requiresGrad()) {
        Tensor v = gradients.get(i);
        pass = pass == null ? Backward.from(y, v) : pass.and(y, v);
      }
    }
    List<Tensor> found = new ArrayList<>();
    for (Tensor x : inputs) {
      found.add(Tensor.full(x.shape(), x.dtype(), 0));
    }
    if (pass != null) {
      Backward wanted = createsGraph ? pass.createGraph() : pass;
      List<@Nullable Tensor> of = wanted.gradientsOf(inputs.toArray(Tensor[]::new));
      for (int i = 0; i < found.size(); i++) {
        found.set(i, Objects.requireNonNullElse(of.get(i), found.get(i)));
      }
    }
    return found;
  }

  private static void requireShapes(String name, List<Tensor> v, List<Tensor> inputs) {
    if (v.size() != inputs.size()) {
      throw new ShapeException(
          name, v.size() + " vectors do not fit " + inputs.size() + " inputs; pass one for each");
    }
    for (int i = 0; i < v.size(); i++) {
      requireShape(name, v.get(i), inputs.get(i).shape());
    }
  }

  private static void requireShape(String name, Tensor given, Shape expected) {
    if (!given.shape().equals(expected)) {
      throw new ShapeException(name, given.shape() + " does not have the shape " + expected);
    }
  }
}
