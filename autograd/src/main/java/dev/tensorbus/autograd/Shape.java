// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.Arrays;

/// The sizes of a tensor's axes, outermost first. A scalar has no axes. Immutable.
public final class Shape {
  /// The shape of a single value.
  public static final Shape SCALAR = new Shape();

  private final int[] sizes;
  private final long numel;

  private Shape(int... sizes) {
    this.sizes = sizes;
    this.numel = product(sizes);
  }

  /// Creates a shape with the given sizes.
  ///
  /// @throws ShapeException if a size is negative or there are more than 2^63 - 1 elements
  public static Shape of(int... sizes) {
    return sizes.length == 0 ? SCALAR : new Shape(sizes.clone());
  }

  /// Creates a shape whose values fit into one array.
  ///
  /// @throws ShapeException if a size is negative or there are more elements than an array can hold
  public static Shape ofArray(int... sizes) {
    Shape shape = of(sizes);
    shape.elements();
    return shape;
  }

  private static long product(int[] sizes) {
    long product = 1;
    for (int size : sizes) {
      if (size < 0) {
        throw new ShapeException("shape", Arrays.toString(sizes) + " has a negative size");
      }
      if (Math.multiplyHigh(product, size) != 0 || product * size < 0) {
        throw new ShapeException(
            "shape", Arrays.toString(sizes) + " has more than 2^63 - 1 elements");
      }
      product *= size;
    }
    return product;
  }

  /// Returns the number of axes.
  public int rank() {
    return sizes.length;
  }

  /// Returns the size of an axis. Negative axes count from the end, as in torch.
  public int size(int axis) {
    return sizes[axis < 0 ? axis + sizes.length : axis];
  }

  /// Returns the nonnegative index of an axis. Negative axes count from the end.
  ///
  /// @param operation the operation's name, for the error message
  /// @throws ShapeException if there is no such axis
  public int axis(String operation, int axis) {
    if (axis < -sizes.length || axis >= sizes.length) {
      throw new ShapeException(
          operation,
          "%s has no axis %d; its axes are %d to %d"
              .formatted(this, axis, -sizes.length, sizes.length - 1));
    }
    return axis < 0 ? axis + sizes.length : axis;
  }

  /// Returns the number of values of a tensor with this shape. Like `torch.Tensor.numel`.
  public long numel() {
    return numel;
  }

  /// Returns the number of values as an array length.
  ///
  /// @throws ShapeException if there are more than an array can hold
  public int elements() {
    if (numel > Integer.MAX_VALUE) {
      throw new ShapeException("shape", this + " has more than 2^31 - 1 elements");
    }
    return (int) numel;
  }

  /// Returns a copy of the sizes.
  public int[] toArray() {
    return sizes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape && Arrays.equals(sizes, shape.sizes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sizes);
  }

  /// Returns the sizes as error messages show them: `[32, 1, 28, 28]`.
  @Override
  public String toString() {
    return Arrays.toString(sizes);
  }
}
