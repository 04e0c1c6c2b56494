// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.NoGrad;
import java.util.function.Supplier;

/// Computes predictions: layers are in evaluation on this thread and nothing is recorded. Other
/// threads may train the same layers meanwhile. Calls to other workers take it along.
///
/// ```java
/// Tensor scores = Evaluation.call(() -> net.forward(images));
/// ```
///
/// [Layer#eval] switches a layer for all threads, as `torch.nn.Module.eval` does. A program that
/// predicts while it trains, or a server that several trainers use, needs the switch for one
/// computation only.
public final class Evaluation {
  private static final ScopedValue<Boolean> ON = ScopedValue.newInstance();

  private Evaluation() {}

  /// Runs `body` in evaluation on this thread, without recording, and returns its result.
  public static <R> R call(Supplier<R> body) {
    return ScopedValue.where(ON, true).call(() -> NoGrad.call(body));
  }

  /// Runs `body` with each layer in its own mode, inside of [#call] too. Whether it is recorded
  /// stays as it is.
  public static <R> R suspend(Supplier<R> body) {
    return ScopedValue.where(ON, false).call(body::get);
  }

  /// Whether layers are in evaluation on this thread, whatever their own mode.
  public static boolean isOn() {
    return ON.isBound() && ON.get();
  }
}
