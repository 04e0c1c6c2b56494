// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Yields this thread's core to other OS threads.
///
/// [Thread#yield] does so for a platform thread. On a virtual thread, it would look for another
/// virtual thread to run and wake a carrier for it. Meanwhile, the event loop that is about to
/// deliver the awaited answer would still be waiting for a core. A virtual thread therefore calls
/// the operating system directly, if the JVM allows native access.
final class OsYield {
  private static final @Nullable MethodHandle SCHED_YIELD = schedYield();

  private OsYield() {}

  /// Yields the core to a waiting thread, and returns when this thread runs again.
  @SuppressWarnings("ThreadPriorityCheck") // AdaptiveSpin measures whether spinning pays off
  static void yieldCore() {
    if (!Thread.currentThread().isVirtual()) {
      Thread.yield();
    } else if (SCHED_YIELD != null) {
      call(SCHED_YIELD);
    } else {
      Thread.onSpinWait();
    }
  }

  private static void call(MethodHandle schedYield) {
    try {
      int _ = (int) schedYield.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("sched_yield throws nothing", e);
    }
  }

  @SuppressWarnings("restricted") // used only if --enable-native-access allows it
  private static @Nullable MethodHandle schedYield() {
    if (!OsYield.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("sched_yield")
        .map(address -> linker.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT)))
        .orElse(null);
  }
}
