// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A tensor that is zero except in some rows, which are entries along the first axis. The gradient
/// of a table is such a tensor if few of its rows were looked up. If a row occurs several times,
/// its values are added. Like torch's sparse gradients of `Embedding`.
///
/// [Tensor#ofRows] creates a tensor from it, for use in any operation. The dense values are
/// computed when they are first requested.
///
/// @param shape the shape of the whole tensor
/// @param rows the indices of the rows, each less than the size of the first axis
/// @param values the values of these rows, `[rows.length, …]`
public record SparseRows(Shape shape, int[] rows, Tensor values) implements Scattered {
  /// The maximum number of rows that [#toString] shows.
  private static final int SHOWN = 8;

  /// Checks that the rows and values match the shape.
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
        throw new ShapeException("sparse rows", "row " + row + " is out of bounds for " + shape);
      }
    }
    if (!values.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "sparse rows: expected float32 or float64 values, not " + values.dtype());
    }
    values = values.detach();
  }

  /// Returns the shape, the number of rows and the first row indices.
  @Override
  public String toString() {
    String first =
        IntStream.of(rows).limit(SHOWN).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    return "SparseRows%s %d rows[%s%s] %s"
        .formatted(shape, rows.length, first, rows.length > SHOWN ? ", …" : "", values);
  }

  /// Returns the number of values in a row.
  private int columns() {
    return shape.size(0) == 0 ? 0 : Math.toIntExact(shape.numel() / shape.size(0));
  }

  /// Returns whether `other` has the same shape and type.
  public boolean fits(SparseRows other) {
    return shape.equals(other.shape) && values.dtype() == other.values.dtype();
  }

  /// Returns the sum of the terms by concatenating them, so that a row may occur several times. If
  /// there are then more rows than in the dense tensor, repeated rows are merged.
  ///
  /// @param terms at least one, of equal shape and type
  public static SparseRows sum(List<SparseRows> terms) {
    Shape shape = terms.getFirst().shape;
    SparseRows sum =
        new SparseRows(
            shape,
            terms.stream().flatMapToInt(term -> IntStream.of(term.rows)).toArray(),
            Tensor.concatenate(terms.stream().map(SparseRows::values).toList(), 0));
    return sum.rows.length > shape.size(0) ? sum.coalesced() : sum;
  }

  /// Returns the same tensor with each row at most once, in ascending order.
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

  /// Returns the row indices, sorted and packed with their offsets in `rows`: the upper half of
  /// each long is the row index and the lower half the offset.
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

  /// Adds row `i` of the values to row `places[i]` of `sums`.
  private void add(int[] places, HeapStorage sums) {
    HeapStorage x = values.heap();
    int columns = columns();
    for (int row = 0; row < places.length; row++) {
      x.addTo(row * columns, sums, places[row] * columns, 1, columns);
    }
  }
}
