// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.Arrays;

/// The sizes of a tensor's axes, outermost first; no axes is a scalar. Immutable.
public final class Shape {
  /// The shape of a single value.
  public static final Shape SCALAR = new Shape();

  private final int[] sizes;
  private final int elements;

  private Shape(int... sizes) {
    this.sizes = sizes;
    this.elements = product(sizes);
  }

  /// Makes the shape with these sizes.
  ///
  /// @throws ShapeException if a size is negative or the elements are more than an array can hold
  public static Shape of(int... sizes) {
    return sizes.length == 0 ? SCALAR : new Shape(sizes.clone());
  }

  private static int product(int[] sizes) {
    long product = 1;
    for (int size : sizes) {
      if (size < 0) {
        throw new ShapeException("shape", Arrays.toString(sizes) + " has a negative size");
      }
      product *= size;
      if (product > Integer.MAX_VALUE) {
        throw new ShapeException(
            "shape", Arrays.toString(sizes) + " has more than 2^31 - 1 elements");
      }
    }
    return (int) product;
  }

  /// The number of axes.
  public int rank() {
    return sizes.length;
  }

  /// The size of an axis; negative axes count from the end, as in torch.
  public int size(int axis) {
    return sizes[axis < 0 ? axis + sizes.length : axis];
  }

  /// The number of an axis counted from the start; negative ones count from the end.
  ///
  /// @param operation the operation's name, for the message
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

  /// The number of values that a tensor of this shape holds.
  public int elements() {
    return elements;
  }

  /// A copy of the sizes.
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

  /// The sizes as error messages show them: `[32, 1, 28, 28]`.
  @Override
  public String toString() {
    return Arrays.toString(sizes);
  }
}
