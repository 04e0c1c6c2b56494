// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// A comparison of two numbers. If either is NaN, only [#NE] is true.
public enum Order {
  /// Less than.
  LT,
  /// Less than or equal to.
  LE,
  /// Greater than.
  GT,
  /// Greater than or equal to.
  GE,
  /// Equal to.
  EQ,
  /// Not equal to.
  NE;

  /// Returns whether `a` and `b` are in this order.
  public boolean holds(double a, double b) {
    return switch (this) {
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case EQ -> a == b;
      case NE -> a != b;
    };
  }

  /// Returns whether `a` and `b` are in this order.
  public boolean holds(long a, long b) {
    return switch (this) {
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case EQ -> a == b;
      case NE -> a != b;
    };
  }
}
