// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;
import java.util.List;

/// A tensor in a message.
///
/// @param value its shape and values, without a past
/// @param tracked whether its gradient is to come back
public record WireTensor(Tensor value, boolean tracked) {
  private static final int MAX_RANK = 64;

  /// A type's number in messages is its place here.
  private static final List<DType> TYPES =
      List.of(DType.BOOL, DType.FLOAT32, DType.FLOAT64, DType.INT64);

  /// Takes the present version of a tensor's values.
  public static WireTensor of(Tensor tensor, boolean tracked) {
    return new WireTensor(tensor.detach(), tracked);
  }

  long bytes() {
    Shape shape = value.shape();
    return 3L
        + (long) Integer.BYTES * (1 + shape.rank())
        + (long) value.dtype().bytes() * shape.elements();
  }

  void write(Output out) {
    out.putByte(TYPES.indexOf(value.dtype()));
    out.putByte(tracked ? 1 : 0);
    out.putByte(value.shape().rank());
    for (int size : value.shape().toArray()) {
      out.putInt(size);
    }
    out.putArray(value.storage());
  }

  static WireTensor read(Input in) {
    int type = in.getByte();
    if (type < 0 || type >= TYPES.size()) {
      throw new WireException("tensor of unknown type " + type + "; known: 0 to 3", null);
    }
    boolean tracked = in.getByte() != 0;
    Shape shape = readShape(in);
    Object values = in.getArray(TYPES.get(type), shape.elements());
    return new WireTensor(Tensor.ofStorage(shape, values), tracked);
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
