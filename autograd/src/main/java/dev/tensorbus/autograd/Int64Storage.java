// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Int64 values.
final class Int64Storage extends HeapStorage {
  private final long[] values;

  Int64Storage(long[] values) {
    super(DType.INT64, ValueLayout.JAVA_LONG_UNALIGNED);
    this.values = values;
  }

  private static long[] of(HeapStorage other) {
    return ((Int64Storage) other).values;
  }

  @Override
  void fill(double value) {
    Arrays.fill(values, (long) value);
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
  public long[] longs() {
    return values;
  }

  @Override
  public HeapStorage copy() {
    return new Int64Storage(values.clone());
  }

  @Override
  public void copyTo(int from, HeapStorage target, int to, int count) {
    System.arraycopy(values, from, of(target), to, count);
  }

  @Override
  public void copyTo(int from, int step, HeapStorage target, int to, int toStep, int count) {
    long[] copies = of(target);
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
    long[] copies = of(target);
    for (int i = 0; i < count; i++) {
      copies[to + i] = values[from + positions[i]];
    }
  }

  @Override
  public float[] toFloats() {
    float[] numbers = new float[values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = values[i];
    }
    return numbers;
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
