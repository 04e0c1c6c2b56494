// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// Another place for the values of a tensor: memory outside of the heap.
class ForeignLayoutTest {
  private record Foreign(Shape shape, MemorySegment values) implements Layout {
    @Override
    public DType dtype() {
      return DType.FLOAT32;
    }

    @Override
    public HeapStorage dense() {
      return HeapStorage.of(values.toArray(ValueLayout.JAVA_FLOAT));
    }
  }

  @Test
  void aTensorReadsForeignMemory() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2, 3, 4, 5, 6);
      Tensor table = Tensor.ofLayout(new Foreign(Shape.of(2, 3), values));
      table.requiresGrad(true);
      Tensor product = table.matmul(Tensor.of(Shape.of(3, 1), new float[] {1, 10, 100}));
      product.sum().backward();
      assertThat(product.values()).containsExactly(321, 654);
      assertThat(table.grad().values()).containsExactly(1, 10, 100, 1, 10, 100);
    }
  }

  @Test
  void valuesAreReadOnce() {
    Tensor table;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2);
      table = Tensor.ofLayout(new Foreign(Shape.of(2), values));
      assertThat(table.heap().size()).isEqualTo(2);
    }
    assertThat(table.add(table).values()).containsExactly(2, 4);
  }
}
