// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.layout.IndexOps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Looks up rows of a table by index.
public final class Embeddings {
  private Embeddings() {}

  /// How the rows of a bag are reduced to one.
  public enum BagMode {
    /// The sum of the rows.
    SUM,
    /// The mean of the rows; zeros for an empty bag.
    MEAN,
    /// The maximum of each column; zeros for an empty bag.
    MAX
  }

  /// Looks up the rows of `[rows, size]` at int64 `indices` of any shape; the result has shape
  /// `[…, size]`. Like `torch.nn.functional.embedding`.
  ///
  /// @throws IllegalArgumentException if an index is out of range
  public static Tensor embedding(Tensor indices, Tensor weight) {
    return embedding(indices, weight, false);
  }

  /// Looks up rows, optionally with a sparse gradient that contains only the
  /// [rows][dev.tensorbus.autograd.SparseRows] that were looked up.
  ///
  /// @throws IllegalArgumentException if an index is out of range
  public static Tensor embedding(Tensor indices, Tensor weight, boolean sparse) {
    return rows("embedding", indices, weight, sparse);
  }

  private static Tensor rows(String operation, Tensor indices, Tensor weight, boolean sparse) {
    requireTable(operation, weight);
    int[] sizes = indices.shape().toArray();
    int[] result = Arrays.copyOf(sizes, sizes.length + 1);
    result[sizes.length] = weight.shape().size(1);
    return IndexOps.rows(operation, weight, indices.reshape(-1), sparse).reshape(result);
  }

  private static void requireTable(String operation, Tensor weight) {
    if (weight.shape().rank() != 2) {
      throw new ShapeException(operation, "weight " + weight.shape() + " is not [rows, size]");
    }
  }

  /// Reduces each bag of rows to one row; the result has shape `[bags, size]`. Like
  /// `torch.nn.functional.embedding_bag`.
  ///
  /// @param indices the int64 indices of all bags, one bag after another
  /// @param offsets the position in `indices` at which each bag begins; the first is 0
  /// @throws IllegalArgumentException if an index is out of range, or the offsets decrease or
  ///     exceed the number of indices
  public static Tensor embeddingBag(Tensor indices, Tensor weight, int[] offsets, BagMode mode) {
    return embeddingBag(indices, weight, offsets, mode, false);
  }

  /// Reduces each bag of rows to one row, optionally with a sparse gradient of
  /// [rows][dev.tensorbus.autograd.SparseRows].
  ///
  /// @throws IllegalArgumentException if an index is out of range, or the offsets decrease or
  ///     exceed the number of indices
  public static Tensor embeddingBag(
      Tensor indices, Tensor weight, int[] offsets, BagMode mode, boolean sparse) {
    requireTable("embeddingBag", weight);
    int[] ends = ends(offsets, indices.shape().elements());
    Tensor rows = rows("embeddingBag", indices.reshape(-1), weight, sparse);
    if (mode == BagMode.MAX) {
      return greatest(rows, offsets, ends);
    }
    int size = weight.shape().size(1);
    Tensor zeros = Tensor.full(Shape.of(offsets.length, size), weight.dtype(), 0);
    Tensor sums = zeros.scatterAdd(0, bags(offsets, ends, size), rows);
    return mode == BagMode.SUM ? sums : sums.div(counts(offsets, ends, weight.dtype()));
  }

  private static int[] ends(int[] offsets, int count) {
    int[] ends = new int[offsets.length];
    for (int bag = 0; bag < ends.length; bag++) {
      ends[bag] = bag + 1 < ends.length ? offsets[bag + 1] : count;
      if (offsets[0] != 0 || offsets[bag] > ends[bag]) {
        throw new IllegalArgumentException(
            "embeddingBag: offsets %s; expected 0 first, no decrease, and none above %d"
                .formatted(Arrays.toString(offsets), count));
      }
    }
    return ends;
  }

  /// Returns, for each value of each row, the index of its bag.
  private static Tensor bags(int[] offsets, int[] ends, int size) {
    int count = ends.length == 0 ? 0 : ends[ends.length - 1];
    long[] bags = new long[count * size];
    for (int bag = 0; bag < ends.length; bag++) {
      Arrays.fill(bags, offsets[bag] * size, ends[bag] * size, bag);
    }
    return Tensor.of(Shape.of(count, size), bags);
  }

  private static Tensor counts(int[] offsets, int[] ends, DType type) {
    float[] counts = new float[ends.length];
    for (int bag = 0; bag < counts.length; bag++) {
      counts[bag] = Math.max(1, ends[bag] - offsets[bag]);
    }
    return Tensor.of(Shape.of(counts.length, 1), counts).to(type);
  }

  private static Tensor greatest(Tensor rows, int[] offsets, int[] ends) {
    Shape row = Shape.of(rows.shape().size(1));
    List<Tensor> greatest = new ArrayList<>();
    for (int bag = 0; bag < ends.length; bag++) {
      greatest.add(
          offsets[bag] == ends[bag]
              ? Tensor.full(row, rows.dtype(), 0)
              : rows.slice(0, offsets[bag], ends[bag]).max(0));
    }
    return Tensor.stack(greatest, 0);
  }
}
