// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Operations that sort values. Sorting is stable; NaN is larger than any number, and -0 equals 0.
/// The indices have no gradient. The values are read with [Tensor#gather] and have its gradient.
final class SortOps {
  /// The key of NaN.
  private static final long NAN = Double.doubleToLongBits(Double.NaN);

  private SortOps() {}

  /// See [Tensor#sort].
  static Tensor.Sorted sort(Tensor x, int axis, boolean descending) {
    return taken(x, axis, argsort(x, axis, descending));
  }

  /// See [Tensor#argsort].
  static Tensor argsort(Tensor x, int axis, boolean descending) {
    int along = x.shape().axis("sort", axis);
    return order(new Order("argsort", along, x.shape().size(along), descending), x);
  }

  /// See [Tensor#topk].
  static Tensor.Sorted topk(Tensor x, int k, int axis, boolean largest) {
    int along = x.shape().axis("topk", axis);
    if (k < 0 || k > x.shape().size(along)) {
      throw new ShapeException(
          "topk",
          "k is %d, but axis %d of %s has %d values; expected 0 to %d"
              .formatted(k, axis, x.shape(), x.shape().size(along), x.shape().size(along)));
    }
    return taken(x, axis, order(new Order("topk", along, k, largest), x));
  }

  private static Tensor.Sorted taken(Tensor x, int axis, Tensor indices) {
    return new Tensor.Sorted(x.gather(axis, indices), indices);
  }

  private static Tensor order(Order order, Tensor x) {
    return Trace.run(order, () -> order.of(x), x);
  }

  /// Computes the indices of the first `count` values in sorted order along an axis.
  private record Order(String name, int axis, int count, boolean descending) implements Traceable {
    Tensor of(Tensor x) {
      int[] sizes = x.shape().toArray();
      int size = sizes[axis];
      int step = Shape.of(Arrays.copyOfRange(sizes, axis + 1, sizes.length)).elements();
      sizes[axis] = count;
      Shape shape = Shape.of(sizes);
      long[] keys = keys(x);
      long[] indices = new long[shape.elements()];
      for (int line = 0; line < indices.length / Math.max(1, count); line++) {
        int first = line / step * size * step + line % step;
        int to = line / step * count * step + line % step;
        Integer[] order = order(size, Comparator.comparingLong(i -> keys[first + i * step]));
        for (int i = 0; i < count; i++) {
          indices[to + i * step] = order[i];
        }
      }
      return Tensor.of(shape, indices);
    }

    private Integer[] order(int size, Comparator<Integer> ascending) {
      Integer[] order = IntStream.range(0, size).boxed().toArray(Integer[]::new);
      Arrays.sort(order, descending ? ascending.reversed() : ascending);
      return order;
    }

    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      OnnxValue.Input x = inputs[0];
      OnnxValue values = x.type() == DType.BOOL ? x.cast(DType.INT64) : x;
      return List.of(
          operator("TopK")
              .with("axis", axis)
              .with("largest", descending ? 1 : 0)
              .all(2, values, ints(count))
              .get(1));
    }
  }

  /// Returns an integer key for each value. Keys sort in the order of the values.
  private static long[] keys(Tensor x) {
    if (x.dtype() == DType.INT64) {
      return x.longs();
    }
    double[] values = Compute.doubles(x);
    long[] keys = new long[values.length];
    for (int i = 0; i < keys.length; i++) {
      long bits = Double.doubleToLongBits(values[i] + 0.0); // -0 + 0 is 0
      keys[i] = bits ^ (bits >> 63 & Long.MAX_VALUE); // reverses the order of negative numbers
    }
    return keys;
  }

  /// See [Tensor#unique].
  static Tensor.Unique unique(Tensor x) {
    Tensor flat = x.detach().sharedAs(Shape.of(x.shape().elements()));
    long[] keys = keys(flat);
    int[] order = inOrder(keys);
    int[] firsts = new int[order.length];
    long[] inverse = new long[order.length];
    long[] counts = new long[order.length];
    int found = 0;
    for (int i = 0; i < order.length; i++) {
      long key = keys[order[i]];
      boolean isNan = x.dtype() != DType.INT64 && key == NAN;
      if (i == 0 || isNan || key != keys[order[i - 1]]) {
        firsts[found++] = order[i];
      }
      inverse[order[i]] = found - 1L;
      counts[found - 1]++;
    }
    Tensor.Unique unique =
        new Tensor.Unique(
            taken(flat, Arrays.copyOf(firsts, found)),
            Tensor.of(x.shape(), inverse),
            Tensor.ofLongs(Arrays.copyOf(counts, found)));
    Trace.note(
        new Distinct(), List.of(unique.values(), unique.inverse(), unique.counts()), x.detach());
    return unique;
  }

  private static Tensor taken(Tensor flat, int[] places) {
    HeapStorage values = HeapStorage.zeros(flat.dtype(), places.length);
    flat.heap().copyTo(0, places, places.length, values, 0);
    return Tensor.ofStorage(Shape.of(places.length), values);
  }

  private static int[] inOrder(long[] keys) {
    return IntStream.range(0, keys.length)
        .boxed()
        .sorted(Comparator.comparingLong(i -> keys[i]))
        .mapToInt(i -> i)
        .toArray();
  }

  private record Distinct() implements Traceable {
    @Override
    public String name() {
      return "unique";
    }

    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      OnnxValue.Input x = inputs[0];
      OnnxValue values = x.type() == DType.BOOL ? x.cast(DType.INT64) : x;
      List<OnnxValue> results = operator("Unique").with("sorted", 1).all(4, values);
      OnnxValue unique = results.get(0);
      return List.of(
          x.type() == DType.BOOL ? unique.cast(DType.BOOL) : unique,
          results.get(2).reshaped(x.shape()),
          results.get(3));
    }
  }
}
