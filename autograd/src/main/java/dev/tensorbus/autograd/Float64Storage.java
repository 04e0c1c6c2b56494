// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Float64 values.
final class Float64Storage extends HeapStorage {
  private final double[] values;

  Float64Storage(double[] values) {
    super(DType.FLOAT64, ValueLayout.JAVA_DOUBLE_UNALIGNED);
    this.values = values;
  }

  private static double[] of(HeapStorage other) {
    return ((Float64Storage) other).values;
  }

  @Override
  void fill(double value) {
    Arrays.fill(values, value);
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
  public double[] doubles() {
    return values;
  }

  @Override
  public HeapStorage copy() {
    return new Float64Storage(values.clone());
  }

  @Override
  public void copyTo(int from, HeapStorage target, int to, int count) {
    System.arraycopy(values, from, of(target), to, count);
  }

  @Override
  public void copyTo(int from, int step, HeapStorage target, int to, int toStep, int count) {
    double[] copies = of(target);
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
    double[] copies = of(target);
    for (int i = 0; i < count; i++) {
      copies[to + i] = values[from + positions[i]];
    }
  }

  @Override
  public void addTo(int from, HeapStorage sums, int to, int step, int count) {
    double[] target = of(sums);
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
    float[] numbers = new float[values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) values[i];
    }
    return numbers;
  }

  @Override
  public double[] toDoubles() {
    return values;
  }

  @Override
  public MemorySegment asSegment() {
    return MemorySegment.ofArray(values);
  }
}
