// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StorageTest {
  /// Values that each type can hold.
  private static HeapStorage numbers(DType type, int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = i % 3;
    }
    return Tensor.of(values).to(type).heap();
  }

  @ParameterizedTest
  @EnumSource
  void aCopyHasTheValuesAndItsOwnArray(DType type) {
    HeapStorage storage = numbers(type, 7);
    HeapStorage copy = storage.copy();
    assertThat(copy).isEqualTo(storage).hasSameHashCodeAs(storage);
    assertThat(copy.array()).isNotSameAs(storage.array());
    HeapStorage.filled(type, 1, 1).copyTo(0, copy, 3, 1); // where 0 was
    assertThat(copy).isNotEqualTo(storage);
  }

  @ParameterizedTest
  @EnumSource
  void valuesAreCopiedByIndexStepAndPosition(DType type) {
    HeapStorage storage = numbers(type, 9);
    HeapStorage copies = HeapStorage.zeros(type, 9);
    storage.copyTo(0, copies, 0, 9);
    assertThat(copies).isEqualTo(storage);
    HeapStorage reversed = HeapStorage.zeros(type, 9);
    storage.copyTo(8, -1, reversed, 0, 1, 9);
    HeapStorage taken = HeapStorage.zeros(type, 9);
    storage.copyTo(0, IntStream.range(0, 9).map(i -> 8 - i).toArray(), 9, taken, 0);
    assertThat(taken).isEqualTo(reversed);
    HeapStorage repeated = HeapStorage.zeros(type, 4);
    storage.copyTo(1, 0, repeated, 0, 1, 4);
    assertThat(repeated).isEqualTo(HeapStorage.filled(type, 4, 1));
  }

  @ParameterizedTest
  @EnumSource
  void bytesComeBackInEitherOrder(DType type) {
    HeapStorage storage = numbers(type, 5);
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[1 + 4 * type.bytes()]);
      storage.write(1, 4, bytes, 1, order);
      HeapStorage back = HeapStorage.zeros(type, 5);
      back.read(bytes, 1, order, 1, 4);
      assertThat(back).as("%s", order).isEqualTo(storage);
    }
    assertThat(storage.asSegment().byteSize()).isEqualTo(5L * type.bytes());
  }

  @ParameterizedTest
  @EnumSource
  void numbersAreConvertedFromEachType(DType type) {
    HeapStorage storage = numbers(type, 3);
    double last = type == DType.BOOL ? 1 : 2;
    assertThat(storage.toDoubles()).containsExactly(0, 1, last);
    assertThat(storage.toFloats()).containsExactly(0, 1, (float) last);
  }

  @Test
  void aStorageOfAnotherTypeSaysWhatItHolds() {
    assertThatIllegalStateException()
        .isThrownBy(HeapStorage.of(new long[1])::floats)
        .withMessage(
            "storage: holds int64 values, not float32; convert its tensor with to(DType.FLOAT32)");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> HeapStorage.of(new long[1]).addTo(0, HeapStorage.of(new long[1]), 0, 1, 1))
        .withMessage("storage: int64 values cannot be added");
  }

  @Test
  void aStorageMustFillTheShape() {
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> Tensor.of(Shape.of(2, 3), new long[4]))
        .withMessage("tensor: 4 values do not fill [2, 3], which holds 6");
  }

  /// A gradient of few rows needs no array for the whole table.
  @Test
  void aTensorMayHaveMoreValuesThanAnArray() {
    Shape table = Shape.of(1 << 30, 4);
    Tensor gradient =
        Tensor.ofRows(new SparseRows(table, new int[] {5, (1 << 30) - 1}, Tensor.ones(2, 4)));
    assertThat(gradient.shape().numel()).isEqualTo(1L << 32);
    assertThat(gradient.storage().size()).isEqualTo(1L << 32);
    SparseRows sum = gradient.add(gradient).sparseRows();
    assertThat(sum).isNotNull();
    assertThat(gradient).asString().startsWith("SparseRows[1073741824, 4] 2 rows");
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(gradient::values)
        .withMessage("shape: [1073741824, 4] has more than 2^31 - 1 elements");
  }
}
