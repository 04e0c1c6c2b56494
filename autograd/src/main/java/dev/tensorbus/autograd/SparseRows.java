// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A tensor that is zero except in some rows, its entries along the first axis: the gradient of a
/// table of which a few rows were looked up. Rows may be named several times: they add up. After
/// torch's sparse gradients of `Embedding`.
///
/// [Tensor#ofRows] makes a tensor of it, which every operation takes; it lays out the zeros when
/// somebody asks for its values.
///
/// @param shape of the whole tensor
/// @param rows which rows, each below the first size
/// @param values `[rows.length, …]`: the values of these rows
public record SparseRows(Shape shape, int[] rows, Tensor values) implements Scattered {
  /// How many rows [#toString] writes.
  private static final int SHOWN = 8;

  /// Checks that rows and values fit.
  public SparseRows {
    int[] sizes = shape.toArray();
    if (sizes.length == 0) {
      throw new ShapeException("sparse rows", "a scalar has no rows");
    }
    int size = sizes[0];
    sizes[0] = rows.length;
    if (!values.shape().equals(Shape.of(sizes))) {
      throw new ShapeException(
          "sparse rows",
          "%d rows of %s do not fit values %s".formatted(rows.length, shape, values.shape()));
    }
    for (int row : rows) {
      if (row < 0 || row >= size) {
        throw new ShapeException("sparse rows", "row " + row + " is not in " + shape);
      }
    }
    if (!values.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "sparse rows: take float32 or float64 values, not " + values.dtype());
    }
    values = values.detach();
  }

  /// The shape, and how many rows there are and which come first.
  @Override
  public String toString() {
    String first =
        IntStream.of(rows).limit(SHOWN).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    return "SparseRows%s %d rows[%s%s] %s"
        .formatted(shape, rows.length, first, rows.length > SHOWN ? ", …" : "", values);
  }

  /// The values of one row.
  private int columns() {
    return shape.size(0) == 0 ? 0 : Math.toIntExact(shape.numel() / shape.size(0));
  }

  /// Whether the other is of the same shape and type.
  public boolean fits(SparseRows other) {
    return shape.equals(other.shape) && values.dtype() == other.values.dtype();
  }

  /// Their sum: a row that several have is there several times. Where that would be longer than the
  /// whole, the rows are summed up first.
  ///
  /// @param terms of equal shape and type, one at least
  public static SparseRows sum(List<SparseRows> terms) {
    Shape shape = terms.getFirst().shape;
    SparseRows sum =
        new SparseRows(
            shape,
            terms.stream().flatMapToInt(term -> IntStream.of(term.rows)).toArray(),
            Tensor.concatenate(terms.stream().map(SparseRows::values).toList(), 0));
    return sum.rows.length > shape.size(0) ? sum.coalesced() : sum;
  }

  /// The same tensor with each row at most once, in ascending order.
  public SparseRows coalesced() {
    int[] distinct = new int[rows.length];
    int[] places = new int[rows.length];
    int count = 0;
    for (long each : sorted()) {
      int row = (int) (each >>> Integer.SIZE);
      if (count == 0 || distinct[count - 1] != row) {
        distinct[count++] = row;
      }
      places[(int) each] = count - 1;
    }
    int[] sizes = shape.toArray();
    sizes[0] = count;
    Shape summed = Shape.of(sizes);
    HeapStorage sums = HeapStorage.zeros(values.dtype(), summed.elements());
    add(places, sums);
    return new SparseRows(shape, Arrays.copyOf(distinct, count), Tensor.ofStorage(summed, sums));
  }

  /// The rows in ascending order, each with its place in the lower half.
  private long[] sorted() {
    long[] sorted = new long[rows.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = (long) rows[i] << Integer.SIZE | i;
    }
    Arrays.sort(sorted);
    return sorted;
  }

  @Override
  public DType dtype() {
    return values.dtype();
  }

  @Override
  public void addTo(HeapStorage sums) {
    add(rows, sums);
  }

  /// Adds each row to the one at its place.
  private void add(int[] places, HeapStorage sums) {
    HeapStorage x = values.heap();
    int columns = columns();
    for (int row = 0; row < places.length; row++) {
      x.addTo(row * columns, sums, places[row] * columns, 1, columns);
    }
  }
}
