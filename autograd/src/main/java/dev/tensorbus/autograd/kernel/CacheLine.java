// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds where cache lines begin in an array. A vector of 64 bytes that straddles two lines takes
/// twice as long to load.
///
/// Java does not reveal the address of an array, but C's `memset` does: it returns the address that
/// it is given, here without writing a byte.
final class CacheLine {
  static final int BYTES = 64;

  private static final @Nullable MethodHandle MEMSET = memset();

  private CacheLine() {}

  /// Returns the first index of the array at which a line begins. It is valid until the garbage
  /// collector moves the array; 0 if the JVM does not allow native calls
  /// (`--enable-native-access`).
  static int firstIn(float[] array) {
    return bytesBefore(MemorySegment.ofArray(array)) / Float.BYTES;
  }

  /// Does the same for float64.
  static int firstIn(double[] array) {
    return bytesBefore(MemorySegment.ofArray(array)) / Double.BYTES;
  }

  private static int bytesBefore(MemorySegment array) {
    return MEMSET == null ? 0 : Math.floorMod(-address(MEMSET, array), BYTES);
  }

  private static long address(MethodHandle memset, MemorySegment array) {
    try {
      return (long) memset.invokeExact(array, 0, 0L);
    } catch (Throwable e) {
      throw new AssertionError("memset throws nothing", e);
    }
  }

  /// It is a critical call, which takes heap arrays without copying, because it returns at once.
  @SuppressWarnings("restricted") // used only where --enable-native-access allows it
  private static @Nullable MethodHandle memset() {
    if (!CacheLine.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    Map<String, MemoryLayout> layouts = linker.canonicalLayouts();
    if (!ValueLayout.JAVA_LONG.equals(layouts.get("size_t"))) {
      return null;
    }
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG);
    return linker
        .defaultLookup()
        .find("memset")
        .map(address -> linker.downcallHandle(address, type, Linker.Option.critical(true)))
        .orElse(null);
  }
}
