// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.HeapStorage;

/// A float64 block. Each method is one branch-free loop over arrays, starting at index 0, so that
/// C2 can vectorize it.
final class DoubleBlock implements ArrayBlock {
  private final double[] x;
  private int count;

  DoubleBlock(int capacity) {
    x = new double[capacity];
    count = capacity;
  }

  private static double[] of(Block block) {
    return ((DoubleBlock) block).x;
  }

  @Override
  public Block set(Block other) {
    count = ((DoubleBlock) other).count;
    System.arraycopy(of(other), 0, x, 0, count);
    return this;
  }

  @Override
  public Block neg() {
    for (int i = 0; i < count; i++) {
      x[i] = -x[i];
    }
    return this;
  }

  @Override
  public Block abs() {
    for (int i = 0; i < count; i++) {
      x[i] = Math.abs(x[i]);
    }
    return this;
  }

  @Override
  public Block sqrt() {
    for (int i = 0; i < count; i++) {
      x[i] = Math.sqrt(x[i]);
    }
    return this;
  }

  @Override
  public Block add(double number) {
    double b = number;
    for (int i = 0; i < count; i++) {
      x[i] += b;
    }
    return this;
  }

  @Override
  public Block mul(double factor) {
    double f = factor;
    for (int i = 0; i < count; i++) {
      x[i] *= f;
    }
    return this;
  }

  @Override
  public Block div(double divisor) {
    double d = divisor;
    for (int i = 0; i < count; i++) {
      x[i] /= d;
    }
    return this;
  }

  @Override
  public Block clamp(double min, double max) {
    double low = min;
    double high = max;
    for (int i = 0; i < count; i++) {
      x[i] = Math.min(Math.max(x[i], low), high);
    }
    return this;
  }

  @Override
  public Block addScaled(Block other, double factor) {
    double[] y = of(other);
    double f = factor;
    for (int i = 0; i < count; i++) {
      x[i] = Math.fma(f, y[i], x[i]);
    }
    return this;
  }

  @Override
  public Block sub(Block other) {
    double[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] -= y[i];
    }
    return this;
  }

  @Override
  public Block mulBy(Block other) {
    double[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] *= y[i];
    }
    return this;
  }

  @Override
  public Block divBy(Block other) {
    double[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] /= y[i];
    }
    return this;
  }

  @Override
  public Block maximum(Block other) {
    double[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] = Math.max(x[i], y[i]);
    }
    return this;
  }

  @Override
  public Block addcmul(Block a, Block b, double factor) {
    double[] y = of(a);
    double[] z = of(b);
    double f = factor;
    for (int i = 0; i < count; i++) {
      x[i] = Math.fma(f * y[i], z[i], x[i]);
    }
    return this;
  }

  @Override
  public Block addcdiv(Block a, Block b, double factor) {
    double[] y = of(a);
    double[] z = of(b);
    double f = factor;
    for (int i = 0; i < count; i++) {
      x[i] += f * y[i] / z[i];
    }
    return this;
  }

  @Override
  public Block bySign(double negative, double zero, double positive) {
    for (int i = 0; i < count; i++) {
      x[i] = x[i] > 0 ? positive : x[i] < 0 ? negative : x[i] == 0 ? zero : x[i];
    }
    return this;
  }

  @Override
  public Block zeroWhereNegative(Block other) {
    double[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] = y[i] < 0 ? 0 : x[i];
    }
    return this;
  }

  @Override
  public void load(HeapStorage values, int from, int at, int length) {
    // The JVM copies a short row twice as fast if it knows the array's type.
    System.arraycopy(values.doubles(), from, x, at, length);
    count = at + length;
  }

  @Override
  public void store(HeapStorage values, int from, int at, int length) {
    System.arraycopy(x, at, values.doubles(), from, length);
  }
}
