// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Boolean values.
final class BoolStorage extends HeapStorage {
  private final boolean[] values;

  BoolStorage(boolean[] values) {
    super(DType.BOOL, ValueLayout.JAVA_BYTE);
    this.values = values;
  }

  private static boolean[] of(HeapStorage other) {
    return ((BoolStorage) other).values;
  }

  @Override
  void fill(double value) {
    Arrays.fill(values, value != 0);
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
  public boolean[] booleans() {
    return values;
  }

  @Override
  public HeapStorage copy() {
    return new BoolStorage(values.clone());
  }

  @Override
  public void copyTo(int from, HeapStorage target, int to, int count) {
    System.arraycopy(values, from, of(target), to, count);
  }

  @Override
  public void copyTo(int from, int step, HeapStorage target, int to, int toStep, int count) {
    boolean[] copies = of(target);
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
    boolean[] copies = of(target);
    for (int i = 0; i < count; i++) {
      copies[to + i] = values[from + positions[i]];
    }
  }

  @Override
  public float[] toFloats() {
    float[] numbers = new float[values.length];
    for (int i = 0; i < numbers.length; i++) {
      int number = values[i] ? 1 : 0; // an int, so that C2 generates no branch
      numbers[i] = number;
    }
    return numbers;
  }

  @Override
  public double[] toDoubles() {
    double[] numbers = new double[values.length];
    for (int i = 0; i < numbers.length; i++) {
      int number = values[i] ? 1 : 0; // an int, so that C2 generates no branch
      numbers[i] = number;
    }
    return numbers;
  }

  @Override
  public void write(int from, int count, MemorySegment bytes, long offset, ByteOrder order) {
    for (int i = 0; i < count; i++) {
      bytes.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (values[from + i] ? 1 : 0));
    }
  }

  @Override
  public void read(MemorySegment bytes, long offset, ByteOrder order, int to, int count) {
    for (int i = 0; i < count; i++) {
      values[to + i] = bytes.get(ValueLayout.JAVA_BYTE, offset + i) != 0;
    }
  }

  @Override
  public MemorySegment asSegment() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[values.length]);
    write(0, values.length, bytes, 0, ByteOrder.nativeOrder());
    return bytes;
  }
}
