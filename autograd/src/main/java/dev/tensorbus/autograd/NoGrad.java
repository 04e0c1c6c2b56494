// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.function.Supplier;

/// Runs code without recording a graph, for evaluation and updates. Like `torch.no_grad()`.
public final class NoGrad {
  private static final ScopedValue<Boolean> ON = ScopedValue.newInstance();

  private NoGrad() {}

  /// Runs `body` without recording on this thread and returns its result.
  public static <R> R call(Supplier<R> body) {
    return ScopedValue.where(ON, true).call(body::get);
  }

  /// Runs `body` without recording on this thread.
  public static void run(Runnable body) {
    ScopedValue.where(ON, true).run(body);
  }

  /// Runs `body` with recording, even inside [#call]. Like `torch.enable_grad()`.
  public static <R> R suspend(Supplier<R> body) {
    return ScopedValue.where(ON, false).call(body::get);
  }

  /// Runs `body` with recording, even inside [#run].
  public static void runSuspended(Runnable body) {
    ScopedValue.where(ON, false).run(body);
  }

  /// Returns whether recording is off on this thread.
  public static boolean isOn() {
    return ON.isBound() && ON.get();
  }
}
