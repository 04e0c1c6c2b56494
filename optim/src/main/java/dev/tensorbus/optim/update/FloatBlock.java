// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.HeapStorage;

/// A float32 block. Each method is one branch-free loop over arrays, starting at index 0, so that
/// C2 can vectorize it.
final class FloatBlock implements ArrayBlock {
  private final float[] x;
  private int count;

  FloatBlock(int capacity) {
    x = new float[capacity];
    count = capacity;
  }

  private static float[] of(Block block) {
    return ((FloatBlock) block).x;
  }

  @Override
  public Block set(Block other) {
    count = ((FloatBlock) other).count;
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
      x[i] = (float) Math.sqrt(x[i]);
    }
    return this;
  }

  @Override
  public Block add(double number) {
    float b = (float) number;
    for (int i = 0; i < count; i++) {
      x[i] += b;
    }
    return this;
  }

  @Override
  public Block mul(double factor) {
    float f = (float) factor;
    for (int i = 0; i < count; i++) {
      x[i] *= f;
    }
    return this;
  }

  @Override
  public Block div(double divisor) {
    float d = (float) divisor;
    for (int i = 0; i < count; i++) {
      x[i] /= d;
    }
    return this;
  }

  @Override
  public Block clamp(double min, double max) {
    float low = (float) min;
    float high = (float) max;
    for (int i = 0; i < count; i++) {
      x[i] = Math.min(Math.max(x[i], low), high);
    }
    return this;
  }

  @Override
  public Block addScaled(Block other, double factor) {
    float[] y = of(other);
    float f = (float) factor;
    for (int i = 0; i < count; i++) {
      x[i] = Math.fma(f, y[i], x[i]);
    }
    return this;
  }

  @Override
  public Block sub(Block other) {
    float[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] -= y[i];
    }
    return this;
  }

  @Override
  public Block mulBy(Block other) {
    float[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] *= y[i];
    }
    return this;
  }

  @Override
  public Block divBy(Block other) {
    float[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] /= y[i];
    }
    return this;
  }

  @Override
  public Block maximum(Block other) {
    float[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] = Math.max(x[i], y[i]);
    }
    return this;
  }

  @Override
  public Block addcmul(Block a, Block b, double factor) {
    float[] y = of(a);
    float[] z = of(b);
    float f = (float) factor;
    for (int i = 0; i < count; i++) {
      x[i] = Math.fma(f * y[i], z[i], x[i]);
    }
    return this;
  }

  @Override
  public Block addcdiv(Block a, Block b, double factor) {
    float[] y = of(a);
    float[] z = of(b);
    float f = (float) factor;
    for (int i = 0; i < count; i++) {
      x[i] += f * y[i] / z[i];
    }
    return this;
  }

  @Override
  public Block bySign(double negative, double zero, double positive) {
    for (int i = 0; i < count; i++) {
      x[i] =
          x[i] > 0
              ? (float) positive
              : x[i] < 0 ? (float) negative : x[i] == 0 ? (float) zero : x[i];
    }
    return this;
  }

  @Override
  public Block zeroWhereNegative(Block other) {
    float[] y = of(other);
    for (int i = 0; i < count; i++) {
      x[i] = y[i] < 0 ? 0 : x[i];
    }
    return this;
  }

  @Override
  public void load(HeapStorage values, int from, int at, int length) {
    // The JVM copies a short row twice as fast if it knows the array's type.
    System.arraycopy(values.floats(), from, x, at, length);
    count = at + length;
  }

  @Override
  public void store(HeapStorage values, int from, int at, int length) {
    System.arraycopy(x, at, values.floats(), from, length);
  }
}
