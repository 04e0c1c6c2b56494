// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.linesearch;

import java.util.function.DoubleFunction;

/// A line search for a step that satisfies the strong Wolfe conditions: algorithms 3.5 and 3.6 of
/// Nocedal and Wright, "Numerical Optimization", with the constants and interpolation of
/// `torch.optim.LBFGS`. A loss of NaN counts as too high, so that the search terminates.
public final class StrongWolfe {
  /// Sufficient decrease condition: the required fraction of the decrease that the initial slope
  /// predicts.
  private static final double DECREASE = 1e-4;

  /// Curvature condition: the maximum slope, as a fraction of the initial slope.
  private static final double CURVATURE = 0.9;

  private static final int MOST_TRIALS = 26;

  private final DoubleFunction<Trial> line;
  private final Trial start;
  private final double leastWidth;
  private int trials;

  /// A point on the line.
  ///
  /// @param step distance from the start, in multiples of the direction
  /// @param slope the derivative along the direction
  public record Trial(double step, double loss, double slope, double[] gradient) {}

  private StrongWolfe(DoubleFunction<Trial> line, Trial start, double leastWidth) {
    this.line = line;
    this.start = start;
    this.leastWidth = leastWidth;
  }

  /// Returns a point that satisfies the conditions or, if none is found, the best point found.
  ///
  /// @param line evaluates the loss at a step
  /// @param start the point with step 0, where the slope is negative
  /// @param first the first step to try
  /// @param leastWidth intervals narrower than this are not divided further
  public static Trial search(
      DoubleFunction<Trial> line, Trial start, double first, double leastWidth) {
    return new StrongWolfe(line, start, leastWidth).from(first);
  }

  /// Increases the step until it satisfies the conditions, or until an interval contains a step
  /// that does.
  private Trial from(double first) {
    Trial before = start;
    Trial trial = at(first);
    while (trials < MOST_TRIALS) {
      if (isTooHigh(trial) || (trials > 2 && trial.loss >= before.loss)) {
        return zoom(before, trial);
      }
      if (isFlat(trial)) {
        return trial;
      }
      if (trial.slope >= 0) {
        return zoom(before, trial);
      }
      double least = trial.step + 0.01 * (trial.step - before.step);
      double next = minimum(before, trial, least, 10 * trial.step);
      before = trial;
      trial = at(next);
    }
    return trial.loss < start.loss ? trial : start;
  }

  /// Narrows the interval between two points until a point satisfies the conditions.
  private Trial zoom(Trial a, Trial b) {
    Trial low = b.loss < a.loss ? b : a;
    Trial high = b.loss < a.loss ? a : b;
    boolean wasClose = false;
    while (trials < MOST_TRIALS && Math.abs(high.step - low.step) >= leastWidth) {
      double left = Math.min(low.step, high.step);
      double right = Math.max(low.step, high.step);
      double margin = 0.1 * (right - left);
      double next = minimum(low, high, left, right);
      boolean isClose = Math.min(right - next, next - left) < margin;
      if (isClose && (wasClose || next >= right || next <= left)) {
        next = right - next < next - left ? right - margin : left + margin;
        isClose = false;
      }
      wasClose = isClose;
      Trial trial = at(next);
      if (isTooHigh(trial) || trial.loss >= low.loss) {
        high = trial.loss < low.loss ? low : trial;
        low = trial.loss < low.loss ? trial : low;
      } else if (isFlat(trial)) {
        return trial;
      } else {
        high = trial.slope * (high.step - low.step) >= 0 ? low : high;
        low = trial;
      }
    }
    return low;
  }

  private Trial at(double step) {
    trials++;
    return line.apply(step);
  }

  private boolean isTooHigh(Trial trial) {
    return !(trial.loss <= start.loss + DECREASE * trial.step * start.slope);
  }

  private boolean isFlat(Trial trial) {
    return Math.abs(trial.slope) <= -CURVATURE * start.slope;
  }

  /// Returns the step that minimizes the cubic through both points, clamped to `[least, most]`, or
  /// the middle of that range if the cubic has no minimum.
  private static double minimum(Trial a, Trial b, double least, double most) {
    Trial left = a.step <= b.step ? a : b;
    Trial right = a.step <= b.step ? b : a;
    double width = right.step - left.step;
    double bend = left.slope + right.slope + 3 * (left.loss - right.loss) / width;
    double root = Math.sqrt(bend * bend - left.slope * right.slope);
    double share = (right.slope + root - bend) / (right.slope - left.slope + 2 * root);
    double minimum = right.step - width * share;
    return Double.isNaN(minimum) ? (least + most) / 2 : Math.clamp(minimum, least, most);
  }
}
