// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.NoGrad;
import java.util.function.Supplier;

/// Puts layers in evaluation mode and turns graph recording off, for the current thread only. Other
/// threads may train the same layers concurrently. Calls to other workers carry the mode with them.
///
/// ```java
/// Tensor scores = Evaluation.call(() -> net.forward(images));
/// ```
///
/// [Layer#eval] switches a layer for all threads, as `torch.nn.Module.eval` does. A program that
/// predicts while it trains, or a server that several trainers use, needs this mode for a single
/// computation.
public final class Evaluation {
  private static final ScopedValue<Boolean> ON = ScopedValue.newInstance();

  private Evaluation() {}

  /// Runs `body` in evaluation mode on this thread, without recording, and returns its result.
  public static <R> R call(Supplier<R> body) {
    return ScopedValue.where(ON, true).call(() -> NoGrad.call(body));
  }

  /// Runs `body` with each layer in its own mode, even inside [#call]. Does not change whether the
  /// graph is recorded.
  public static <R> R suspend(Supplier<R> body) {
    return ScopedValue.where(ON, false).call(body::get);
  }

  /// Returns whether this thread is in evaluation mode, regardless of the layers' own modes.
  public static boolean isOn() {
    return ON.isBound() && ON.get();
  }
}
