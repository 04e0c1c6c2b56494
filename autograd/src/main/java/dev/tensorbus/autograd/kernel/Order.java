// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// A comparison of two numbers. If either is NaN, only [#NE] is true.
public enum Order {
  /// Less.
  LT,
  /// Less or equal.
  LE,
  /// Greater.
  GT,
  /// Greater or equal.
  GE,
  /// Equal.
  EQ,
  /// Not equal.
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
