// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;
import java.util.List;

/// A tensor in a message.
///
/// @param value its shape and values, without a past
/// @param tracked whether its gradient is to come back
public record WireTensor(Tensor value, boolean tracked) {
  private static final int MAX_RANK = 64;

  /// Added to the type of a tensor of which only some rows travel.
  private static final int SPARSE = 16;

  /// A type's number in messages is its place here.
  private static final List<DType> TYPES =
      List.of(DType.BOOL, DType.FLOAT32, DType.FLOAT64, DType.INT64);

  /// Takes the present version of a tensor's values.
  public static WireTensor of(Tensor tensor, boolean tracked) {
    return new WireTensor(tensor.detach(), tracked);
  }

  long bytes() {
    SparseRows sparse = value.sparseRows();
    long head = 3L + (long) Integer.BYTES * (1 + value.shape().rank());
    return sparse == null
        ? head + bytesOf(value)
        : head + (long) Integer.BYTES * (1 + sparse.rows().length) + bytesOf(sparse.values());
  }

  private static long bytesOf(Tensor values) {
    return (long) values.dtype().bytes() * values.shape().elements();
  }

  void write(Output out) {
    SparseRows sparse = value.sparseRows();
    out.putByte(TYPES.indexOf(value.dtype()) | (sparse == null ? 0 : SPARSE));
    out.putByte(tracked ? 1 : 0);
    out.putByte(value.shape().rank());
    for (int size : value.shape().toArray()) {
      out.putInt(size);
    }
    if (sparse != null) {
      write(sparse.rows(), out);
    }
    out.putArray(sparse == null ? value.storage() : sparse.values().storage());
  }

  private static void write(int[] rows, Output out) {
    out.putInt(rows.length);
    for (int row : rows) {
      out.putInt(row);
    }
  }

  static WireTensor read(Input in) {
    int code = in.getByte();
    int type = code & ~SPARSE;
    if (type < 0 || type >= TYPES.size()) {
      throw new WireException("tensor of unknown type " + type + "; known: 0 to 3", null);
    }
    boolean tracked = in.getByte() != 0;
    Shape shape = readShape(in);
    Tensor value =
        type == code
            ? Tensor.ofStorage(shape, in.getArray(TYPES.get(type), shape.elements()))
            : readSparse(in, shape, TYPES.get(type));
    return new WireTensor(value, tracked);
  }

  private static Tensor readSparse(Input in, Shape shape, DType type) {
    int[] rows = new int[in.getCount(Integer.BYTES)];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = in.getInt();
    }
    try {
      int[] sizes = shape.toArray();
      if (sizes.length > 0) {
        sizes[0] = rows.length;
      }
      Shape laidOut = Shape.of(sizes);
      Tensor values = Tensor.ofStorage(laidOut, in.getArray(type, laidOut.elements()));
      return Tensor.ofRows(new SparseRows(shape, rows, values));
    } catch (IllegalArgumentException e) {
      throw new WireException("sparse tensor in a message: " + e.getMessage(), e);
    }
  }

  private static Shape readShape(Input in) {
    int rank = in.getByte();
    if (rank < 0 || rank > MAX_RANK) {
      throw new WireException("tensor of " + rank + " axes; at most " + MAX_RANK, null);
    }
    int[] sizes = new int[rank];
    for (int axis = 0; axis < rank; axis++) {
      sizes[axis] = in.getInt();
    }
    try {
      return Shape.of(sizes);
    } catch (ShapeException e) {
      throw new WireException("tensor in a message: " + e.getMessage(), e);
    }
  }
}
