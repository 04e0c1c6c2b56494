// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Finds the operation whose gradient becomes NaN. Operations recorded inside [#detect] remember
/// the line of the program that called them. A backward pass fails at the first of them whose
/// gradient contains NaN. Slow. Like `torch.autograd.detect_anomaly`.
public final class Anomaly {
  private static final ScopedValue<Boolean> ON = ScopedValue.newInstance();

  /// The classes that record operations; the program's frames follow theirs on the stack.
  private static final Set<String> RECORDERS =
      Set.of(Tensor.class.getName(), Node.class.getName(), Anomaly.class.getName());

  private Anomaly() {}

  /// Runs `body`, forward and backward, and returns its result.
  ///
  /// @throws ArithmeticException if a gradient becomes NaN; the message names the operation and the
  ///     line that called it, and the cause has the full stack trace
  public static <R> R detect(Supplier<R> body) {
    return ScopedValue.where(ON, true).call(body::get);
  }

  /// Runs `body` without anomaly detection, even inside [#detect].
  public static <R> R suspend(Supplier<R> body) {
    return ScopedValue.where(ON, false).call(body::get);
  }

  /// Returns whether operations recorded by this thread remember where they were called.
  public static boolean isOn() {
    return ON.isBound() && ON.get();
  }

  /// Returns the current stack trace, or null outside [#detect].
  static @Nullable Throwable place() {
    return isOn() ? new Throwable("the operation was recorded here") : null;
  }

  /// Throws if a gradient contains NaN. Does nothing if `place` is null, since anomaly detection
  /// was off.
  static void require(Node node, @Nullable Throwable place, @Nullable Tensor[] gradients) {
    if (place == null) {
      return;
    }
    for (int input = 0; input < gradients.length; input++) {
      Tensor gradient = gradients[input];
      if (gradient != null && hasNan(gradient)) {
        ArithmeticException found =
            new ArithmeticException(
                "anomaly: the gradient of input %d of %s is NaN; it was computed at %s"
                    .formatted(input, node, line(place)));
        found.initCause(place);
        throw found;
      }
    }
  }

  private static boolean hasNan(Tensor x) {
    double[] values = x.to(DType.FLOAT64).doubles();
    return IntStream.range(0, values.length).anyMatch(i -> Double.isNaN(values[i]));
  }

  private static String line(Throwable place) {
    for (StackTraceElement frame : place.getStackTrace()) {
      String type = frame.getClassName();
      if (!RECORDERS.contains(type)
          && !type.startsWith("dev.tensorbus.autograd.op.")
          && !type.startsWith("dev.tensorbus.nn.functional.")) {
        return frame.toString();
      }
    }
    return "an unknown place";
  }
}
