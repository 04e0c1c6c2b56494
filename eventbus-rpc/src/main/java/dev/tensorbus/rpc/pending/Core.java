// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Lets other threads of the operating system have this thread's core.
///
/// [Thread#yield] does so for a platform thread. For a virtual one it looks for another virtual
/// thread and wakes a carrier for that, while the event loop that has the answer goes on waiting
/// for the core; so this asks the system itself, if the JVM allows it.
final class Core {
  private static final @Nullable MethodHandle SCHED_YIELD = schedYield();

  private Core() {}

  /// Gives the core to whoever waits for it, and comes back.
  @SuppressWarnings("ThreadPriorityCheck") // who relies on it learns whether it helps
  static void giveAway() {
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

  @SuppressWarnings("restricted") // asked for only where --enable-native-access allows it
  private static @Nullable MethodHandle schedYield() {
    if (!Core.class.getModule().isNativeAccessEnabled()) {
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
