// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The header of a tensor in a message: everything but its values.
///
/// @param shape the shape of the tensor
/// @param type the type of the values
/// @param tracked whether its gradient must be sent back if the message belongs to a distributed
///     autograd context
/// @param rows the indices of the rows that are sent, all others being zero; null if all rows are
///     sent
public record TensorHeader(Shape shape, DType type, boolean tracked, int @Nullable [] rows) {
  private static final int MAX_RANK = 64;

  /// Added to the type code of a tensor of which only some rows are sent.
  private static final int SPARSE = 16;

  /// The index of a type is its code in messages.
  private static final List<DType> TYPES =
      List.of(DType.BOOL, DType.FLOAT32, DType.FLOAT64, DType.INT64, DType.BFLOAT16);

  static TensorHeader of(Tensor tensor, boolean tracked) {
    SparseRows sparse = tensor.sparseRows();
    return new TensorHeader(
        tensor.shape(), tensor.dtype(), tracked, sparse == null ? null : sparse.rows());
  }

  /// Returns the shape of the sent values.
  Shape laidOut() {
    if (rows == null) {
      return shape;
    }
    int[] sizes = shape.toArray();
    if (sizes.length > 0) {
      sizes[0] = rows.length;
    }
    return Shape.of(sizes);
  }

  /// Returns the size of the sent values in bytes.
  public long valueBytes() {
    return (long) type.bytes() * count();
  }

  /// Returns the number of sent values.
  public int count() {
    return laidOut().elements();
  }

  /// Returns the size of this header in a message, in bytes.
  long bytes() {
    int rowInts = rows == null ? 0 : 1 + rows.length;
    return 3L + (long) Integer.BYTES * (shape.rank() + rowInts);
  }

  void write(Output out) {
    out.putByte(TYPES.indexOf(type) | (rows == null ? 0 : SPARSE));
    out.putByte(tracked ? 1 : 0);
    out.putByte(shape.rank());
    for (int size : shape.toArray()) {
      out.putInt(size);
    }
    if (rows != null) {
      out.putInt(rows.length);
      for (int row : rows) {
        out.putInt(row);
      }
    }
  }

  static TensorHeader read(Input in) {
    int code = in.getByte();
    int type = code & ~SPARSE;
    if (type < 0 || type >= TYPES.size()) {
      throw new WireException("tensor of unknown type " + type + "; known: 0 to 4", null);
    }
    boolean tracked = in.getByte() != 0;
    try {
      Shape shape = Shape.of(readSizes(in));
      int[] rows = type == code ? null : readRows(in);
      TensorHeader header = new TensorHeader(shape, TYPES.get(type), tracked, rows);
      header.count(); // checks that an array can hold the values
      return header;
    } catch (ShapeException e) {
      throw new WireException("tensor in a message: " + e.getMessage(), e);
    }
  }

  private static int[] readSizes(Input in) {
    int rank = in.getByte();
    if (rank < 0 || rank > MAX_RANK) {
      throw new WireException("tensor of " + rank + " axes; at most " + MAX_RANK, null);
    }
    int[] sizes = new int[rank];
    for (int axis = 0; axis < rank; axis++) {
      sizes[axis] = in.getInt();
    }
    return sizes;
  }

  private static int[] readRows(Input in) {
    int[] rows = new int[in.getCount(Integer.BYTES)];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = in.getInt();
    }
    return rows;
  }
}
