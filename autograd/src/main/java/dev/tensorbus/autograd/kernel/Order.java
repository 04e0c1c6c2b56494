// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// An order of two numbers. For NaN only [#NE] holds.
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

  /// Returns whether two numbers are in this order.
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

  /// Returns whether two integers are in this order.
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
