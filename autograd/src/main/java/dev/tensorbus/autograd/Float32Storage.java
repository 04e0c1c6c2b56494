// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Float32 values.
final class Float32Storage extends HeapStorage {
  private final float[] values;

  Float32Storage(float[] values) {
    super(DType.FLOAT32, ValueLayout.JAVA_FLOAT_UNALIGNED);
    this.values = values;
  }

  private static float[] of(HeapStorage other) {
    return ((Float32Storage) other).values;
  }

  @Override
  void fill(double value) {
    Arrays.fill(values, (float) value);
  }

  @Override
  public int length() {
    return values.length;
  }

  @Override
  public Object array() {
    return values;
  }

  @Override
  public float[] floats() {
    return values;
  }

  @Override
  public HeapStorage copy() {
    return new Float32Storage(values.clone());
  }

  /// Implemented for each type, because the JVM copies a few values twice as fast if it knows the
  /// type of the arrays.
  @Override
  public void copyTo(int from, HeapStorage target, int to, int count) {
    System.arraycopy(values, from, of(target), to, count);
  }

  @Override
  public void copyTo(int from, int step, HeapStorage target, int to, int toStep, int count) {
    float[] copies = of(target);
    if (step == 1 && toStep == 1) {
      System.arraycopy(values, from, copies, to, count);
    } else if (step == 0 && toStep == 1) {
      Arrays.fill(copies, to, to + count, values[from]);
    } else {
      for (int i = 0; i < count; i++) {
        copies[to + i * toStep] = values[from + i * step];
      }
    }
  }

  @Override
  public void copyTo(int from, int[] positions, int count, HeapStorage target, int to) {
    float[] copies = of(target);
    for (int i = 0; i < count; i++) {
      copies[to + i] = values[from + positions[i]];
    }
  }

  @Override
  public void addTo(int from, HeapStorage sums, int to, int step, int count) {
    float[] target = of(sums);
    if (step == 1) { // vectorized
      for (int i = 0; i < count; i++) {
        target[to + i] += values[from + i];
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      target[to + i * step] += values[from + i];
    }
  }

  @Override
  public float[] toFloats() {
    return values;
  }

  @Override
  public double[] toDoubles() {
    double[] numbers = new double[values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values[i];
    }
    return numbers;
  }

  @Override
  public MemorySegment asSegment() {
    return MemorySegment.ofArray(values);
  }
}
