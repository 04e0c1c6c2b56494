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

/// Finds the start of a cache line in an array. A vector of 64 bytes that straddles two lines takes
/// twice as long to load.
///
/// Java does not reveal the address of an array, but C's `memset` does: it returns the address that
/// it is passed. It is called with a length of 0, so it writes nothing.
final class CacheLine {
  static final int BYTES = 64;

  private static final @Nullable MethodHandle MEMSET = memset();

  private CacheLine() {}

  /// Returns the first index in the array at which a line begins, or 0 if the JVM does not allow
  /// native calls (`--enable-native-access`). The index is valid until the garbage collector moves
  /// the array.
  static int firstIn(float[] array) {
    return bytesBefore(MemorySegment.ofArray(array)) / Float.BYTES;
  }

  /// Returns the same index for a float64 array.
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

  /// Returns a handle for `memset`, or null if it cannot be called. A critical call accepts heap
  /// arrays without copying them; it must return quickly, as `memset` does for 0 bytes.
  @SuppressWarnings("restricted") // used only if --enable-native-access allows it
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
