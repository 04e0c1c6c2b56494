// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Scattered;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The sum of the gradients of one output of a function.
///
/// Nothing else refers to a sum that was computed here, so later gradients are added in place: a
/// weight that is used a hundred times needs one array, not a hundred. Gradients of slices and rows
/// are collected and added at the end, so a table with a thousand lookups also needs only one
/// array.
final class GradientSum {
  private @Nullable Tensor sum;
  private boolean isOwn;
  private List<Tensor> parts = List.of();

  /// Adds a gradient.
  void add(Tensor gradient) {
    Tensor present = sum;
    if (gradient.layout() instanceof Scattered) {
      keep(gradient);
    } else if (present == null) {
      sum = gradient;
    } else if (!isOwn || !addInPlace(present, gradient)) {
      sum = present.add(gradient);
      isOwn = true;
    }
  }

  private void keep(Tensor part) {
    if (parts.isEmpty()) {
      parts = new ArrayList<>();
    }
    parts.add(part);
  }

  /// Returns the sum, or null if there was no gradient. Nothing may be added afterwards.
  @Nullable Tensor total() {
    Tensor first = sum == null && !parts.isEmpty() ? parts.getFirst() : sum;
    if (first == null || parts.isEmpty() || (parts.size() == 1 && sum == null)) {
      return first;
    }
    if (!parts.stream().allMatch(part -> fits(first, part))) {
      return parts.stream().skip(sum == null ? 1 : 0).reduce(first, Tensor::add);
    }
    return sum == null && parts.stream().allMatch(part -> part.sparseRows() != null)
        ? Tensor.ofRows(SparseRows.sum(parts.stream().map(GradientSum::rows).toList()))
        : laidOut(first);
  }

  private static SparseRows rows(Tensor part) {
    return Objects.requireNonNull(part.sparseRows());
  }

  private Tensor laidOut(Tensor like) {
    HeapStorage sums =
        sum == null
            ? HeapStorage.zeros(like.dtype(), like.shape().elements())
            : isOwn ? sum.heap() : sum.heap().copy();
    for (Tensor part : parts) {
      if (part.layout() instanceof Scattered values) {
        values.addTo(sums);
      }
    }
    return Tensor.ofStorage(like.shape(), sums);
  }

  /// Adds a gradient in place if that is possible.
  ///
  /// @return whether it was added
  private static boolean addInPlace(Tensor sum, Tensor gradient) {
    if (!fits(sum, gradient)) {
      return false;
    }
    if (sum.dtype() == DType.FLOAT32) {
      Kernels.best().add(sum.values(), gradient.values(), sum.values());
    } else {
      DoubleKernels.INSTANCE.add(sum.doubles(), gradient.doubles(), sum.doubles());
    }
    return true;
  }

  /// Returns whether a gradient can be added in place. In a pass that creates a graph, none can,
  /// since the addition must be recorded.
  private static boolean fits(Tensor sum, Tensor gradient) {
    return sum.dtype() == gradient.dtype() && sum.shape().equals(gradient.shape()) && NoGrad.isOn();
  }
}
