// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.kernel.Bfloat16;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Bfloat16 values.
final class Bfloat16Storage extends HeapStorage {
  private final short[] values;

  Bfloat16Storage(short[] values) {
    super(DType.BFLOAT16, ValueLayout.JAVA_SHORT_UNALIGNED);
    this.values = values;
  }

  private static short[] of(HeapStorage other) {
    return ((Bfloat16Storage) other).values;
  }

  @Override
  void fill(double value) {
    Arrays.fill(values, Bfloat16.of((float) value));
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
  public HeapStorage copy() {
    return new Bfloat16Storage(values.clone());
  }

  @Override
  public void copyTo(int from, HeapStorage target, int to, int count) {
    System.arraycopy(values, from, of(target), to, count);
  }

  @Override
  public void copyTo(int from, int step, HeapStorage target, int to, int toStep, int count) {
    short[] copies = of(target);
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
    short[] copies = of(target);
    for (int i = 0; i < count; i++) {
      copies[to + i] = values[from + positions[i]];
    }
  }

  @Override
  public float[] toFloats() {
    return Bfloat16.toFloats(values);
  }

  @Override
  public double[] toDoubles() {
    double[] numbers = new double[values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Bfloat16.toFloat(values[i]);
    }
    return numbers;
  }

  @Override
  public MemorySegment asSegment() {
    return MemorySegment.ofArray(values);
  }

  @Override
  Object valueAt(int i) {
    return Bfloat16.toFloat(values[i]);
  }
}
