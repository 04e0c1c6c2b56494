// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ScratchTest {
  @Test
  void whatIsLentIsLongEnoughAndLentToOneAtATime() {
    for (int length : new int[] {0, 1, 16, 17, 1 << 16, (1 << 22) + 1}) {
      Scratch.borrow(
          length,
          one -> {
            assertThat(one).hasSizeGreaterThanOrEqualTo(length);
            Scratch.borrow(length, other -> assertThat(other).isNotSameAs(one));
          });
      Scratch.borrowLines(
          length,
          lines -> {
            assertThat(lines.start()).isBetween(0, 15);
            assertThat(lines.values()).hasSizeGreaterThanOrEqualTo(lines.start() + length);
          });
      Scratch.borrowDoubleLines(
          length,
          lines -> {
            assertThat(lines.start()).isBetween(0, 7);
            assertThat(lines.values()).hasSizeGreaterThanOrEqualTo(lines.start() + length);
          });
    }
  }

  /// The garbage collector may move an array between two looks, so one look of many has to fit.
  @Test
  void linesBeginWhereCacheLinesDo() {
    Set<Long> offsets = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      float[] array = new float[100 + i];
      offsets.add(address(array, CacheLine.firstIn(array)) % 64);
    }
    assertThat(offsets).contains(0L).hasSizeLessThan(5);
  }

  /// C's `memchr` finds the only zero among the bytes of these floats, and says where it lies.
  @SuppressWarnings("restricted")
  private static long address(float[] array, int index) {
    Arrays.fill(array, Float.intBitsToFloat(0x01010101));
    array[index] = 0;
    Linker linker = Linker.nativeLinker();
    MethodHandle memchr =
        linker.downcallHandle(
            linker.defaultLookup().find("memchr").orElseThrow(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG),
            Linker.Option.critical(true));
    try {
      return (long)
          memchr.invokeExact(MemorySegment.ofArray(array), 0, (long) Float.BYTES * array.length);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
