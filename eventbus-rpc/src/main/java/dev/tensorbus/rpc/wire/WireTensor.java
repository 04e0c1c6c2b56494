// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.WireException;

/// A tensor in a message.
///
/// @param shape its sizes
/// @param values its values, row-major
/// @param tracked whether its gradient is to come back
public record WireTensor(Shape shape, float[] values, boolean tracked) {
  private static final int MAX_RANK = 64;
  private static final int FLOAT32 = 1;

  /// Takes the present version of a tensor's values.
  public static WireTensor of(Tensor tensor, boolean tracked) {
    return new WireTensor(tensor.shape(), tensor.values(), tracked);
  }

  long bytes() {
    return 3L + (long) Integer.BYTES * (1 + shape.rank()) + (long) Float.BYTES * values.length;
  }

  void write(Output out) {
    out.putByte(FLOAT32);
    out.putByte(tracked ? 1 : 0);
    out.putByte(shape.rank());
    for (int size : shape.toArray()) {
      out.putInt(size);
    }
    out.putFloats(values);
  }

  static WireTensor read(Input in) {
    int type = in.getByte();
    if (type != FLOAT32) {
      throw new WireException("tensor of unknown type " + type + "; known: 1 (float32)", null);
    }
    boolean tracked = in.getByte() != 0;
    Shape shape = readShape(in);
    return new WireTensor(shape, in.getFloats(shape.elements()), tracked);
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
