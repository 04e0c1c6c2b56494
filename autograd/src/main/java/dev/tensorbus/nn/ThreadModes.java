// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.graph.Anomaly;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The modes that are set per thread: [NoGrad], [Evaluation] and [Anomaly]. They can be transferred
/// to another thread that continues the work: a call to another worker carries the modes of the
/// calling thread.
///
/// @param bits one bit for each mode
public record ThreadModes(int bits) {
  /// The value for no mode at all.
  public static final ThreadModes NONE = new ThreadModes(0);

  private static final int NO_GRAD = 1;
  private static final int EVALUATION = 1 << 1;
  private static final int ANOMALY = 1 << 2;
  private static final int ALL = NO_GRAD | EVALUATION | ANOMALY;

  /// @throws IllegalArgumentException if a bit is unknown
  public ThreadModes {
    if ((bits & ~ALL) != 0) {
      throw new IllegalArgumentException("unknown modes 0x" + Integer.toHexString(bits));
    }
  }

  /// Returns the modes of this thread.
  public static ThreadModes here() {
    int bits =
        (NoGrad.isOn() ? NO_GRAD : 0)
            | (Evaluation.isOn() ? EVALUATION : 0)
            | (Anomaly.isOn() ? ANOMALY : 0);
    return bits == 0 ? NONE : new ThreadModes(bits);
  }

  private boolean has(int mode) {
    return (bits & mode) != 0;
  }

  /// Returns whether graph recording is off.
  public boolean isNoGrad() {
    return has(NO_GRAD);
  }

  /// Runs `body` in exactly these modes and returns its result.
  public <R> R call(Supplier<R> body) {
    if (equals(here())) {
      return body.get();
    }
    // Evaluation also turns recording off, so recording is set in the innermost scope.
    Supplier<R> recorded = () -> has(NO_GRAD) ? NoGrad.call(body) : NoGrad.suspend(body);
    Supplier<R> evaluated =
        () -> has(EVALUATION) ? Evaluation.call(recorded) : Evaluation.suspend(recorded);
    return has(ANOMALY) ? Anomaly.detect(evaluated) : Anomaly.suspend(evaluated);
  }

  /// Runs `body` in exactly these modes.
  public void run(Runnable body) {
    boolean _ =
        call(
            () -> {
              body.run();
              return true;
            });
  }

  @Override
  public String toString() {
    List<String> names = new ArrayList<>();
    add(names, NO_GRAD, "NoGrad");
    add(names, EVALUATION, "Evaluation");
    add(names, ANOMALY, "Anomaly");
    return names.isEmpty() ? "no mode" : String.join(" and ", names);
  }

  private void add(List<String> names, int mode, String name) {
    if (has(mode)) {
      names.add(name);
    }
  }
}
