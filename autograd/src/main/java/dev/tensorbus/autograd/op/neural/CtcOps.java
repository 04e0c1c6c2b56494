// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Connectionist temporal classification: the probability that a sequence yields given labels once
/// repetitions and blanks are removed.
public final class CtcOps {
  private CtcOps() {}

  /// Returns the losses `[n]` of [dev.tensorbus.nn.loss.CtcLoss].
  public static Tensor ctc(Tensor x, Tensor targets, Tensor steps, Tensor lengths, int blank) {
    Compute.requireFloating("ctcLoss", x);
    requireShapes(x.shape(), targets, steps, lengths);
    int classes = x.shape().size(2);
    requireRange("input length", steps, 0, x.shape().size(0));
    requireRange("target length", lengths, 0, targets.shape().size(1));
    if (blank < 0 || blank >= classes) {
      throw new IllegalArgumentException(
          "ctcLoss: blank %d is not in [0, %d)".formatted(blank, classes));
    }
    Ctc ctc = new Ctc(blank);
    for (int n = 0; n < x.shape().size(1); n++) {
      for (int label : ctc.labels(targets, lengths, n)) {
        if (label < 0 || label >= classes || label == blank) {
          throw new IllegalArgumentException(
              "ctcLoss: label %d of target %d is not in [0, %d) without the blank %d"
                  .formatted(label, n, classes, blank));
        }
      }
    }
    return ctc.apply(x, targets, steps, lengths);
  }

  private static void requireShapes(Shape x, Tensor targets, Tensor steps, Tensor lengths) {
    Shape each = x.rank() == 3 ? Shape.of(x.size(1)) : Shape.SCALAR;
    boolean fits =
        x.rank() == 3
            && targets.shape().rank() == 2
            && targets.shape().size(0) == x.size(1)
            && steps.shape().equals(each)
            && lengths.shape().equals(each);
    if (!fits) {
      throw new ShapeException(
          "ctcLoss",
          "%s, targets %s, lengths %s and %s; expected [steps, n, classes], [n, maxLength], [n],"
                  .formatted(x, targets.shape(), steps.shape(), lengths.shape())
              + " [n]");
    }
  }

  private static void requireRange(String what, Tensor values, int least, int most) {
    if (values.dtype() != DType.INT64) {
      throw new IllegalArgumentException(
          "ctcLoss: the %ss are %s; convert them with to(DType.INT64)"
              .formatted(what, values.dtype()));
    }
    for (long value : values.longs()) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            "ctcLoss: %s %d is not in [%d, %d]".formatted(what, value, least, most));
      }
    }
  }

  /// The inputs are log-probabilities, targets, sequence lengths and target lengths.
  private record Ctc(int blank) implements Operation {
    @Override
    public String name() {
      return "ctcLoss";
    }

    @Override
    public Tensor value(Tensor... inputs) {
      double[] x = Compute.doubles(inputs[0]);
      double[] losses = new double[inputs[0].shape().size(1)];
      Arrays.setAll(losses, n -> -spelling(x, n, inputs).logProbability());
      return Compute.rounded(inputs[0], Shape.of(losses.length), losses);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Saved(this, of.all());
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      throw new IllegalStateException(
          "ctcLoss: ONNX has no operator for it; compute the loss outside of the exported model");
    }

    private int[] labels(Tensor targets, Tensor lengths, int n) {
      int most = targets.shape().size(1);
      int[] labels = new int[(int) lengths.longs()[n]];
      Arrays.setAll(labels, i -> Math.toIntExact(targets.longs()[n * most + i]));
      return labels;
    }

    private Spelling spelling(double[] x, int n, Tensor... inputs) {
      Shape shape = inputs[0].shape();
      int[] labels = labels(inputs[1], inputs[3], n);
      int[] signs = new int[2 * labels.length + 1];
      Arrays.setAll(signs, s -> s % 2 == 0 ? blank : labels[s / 2]);
      return new Spelling(
          x, n * shape.size(2), shape.size(1) * shape.size(2), (int) inputs[2].longs()[n], signs);
    }

    private record Saved(Ctc ctc, Tensor... inputs) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor dx =
            new CtcGradient(ctc).apply(inputs[0], inputs[1], inputs[2], inputs[3], gradient);
        return new Tensor[] {dx, null, null, null};
      }
    }
  }

  /// The gradient of the loss with respect to the log-probabilities, computed from the probability
  /// of each class in each step. The inputs are the loss's inputs and the gradient of the loss.
  /// This is an operation so that a pass that needs its derivative fails with an error.
  private record CtcGradient(Ctc ctc) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      double[] x = Compute.doubles(inputs[0]);
      double[] factors = Compute.doubles(inputs[4]);
      double[] dx = new double[inputs[0].shape().elements()];
      for (int n = 0; n < factors.length; n++) {
        if (factors[n] != 0) { // for an impossible target, 0 times NaN would be NaN
          ctc.spelling(x, n, inputs).addGradient(-factors[n], dx);
        }
      }
      return Compute.rounded(inputs[0], inputs[0].shape(), dx);
    }

    @Override
    public Derivative derivative(Application of) {
      return (gradient, needed) -> {
        throw new UnsupportedOperationException(
            "ctcLoss: has no second derivative; compute its gradient without createGraph");
      };
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return ctc.onnx(inputs);
    }
  }

  /// One sequence and the symbols of its target: the labels, with blanks before, between and after
  /// them. In each step an alignment stays at its symbol, moves to the next one, or skips a blank
  /// between two different labels.
  ///
  /// @param x log-probabilities
  /// @param first the offset of the first step
  /// @param stride the distance between consecutive steps
  private record Spelling(double[] x, int first, int stride, int steps, int[] signs) {
    private int place(int step, int sign) {
      return first + step * stride + signs[sign];
    }

    private boolean mayLeap(int sign) {
      return sign >= 2 && signs[sign] != signs[sign - 2];
    }

    /// Returns, for each step and symbol, the log-probability of being at the symbol after the
    /// step.
    private double[][] ways() {
      double[][] ways = new double[steps][signs.length];
      for (int step = 0; step < steps; step++) {
        for (int sign = 0; sign < signs.length; sign++) {
          double way = step == 0 ? start(sign) : Double.NEGATIVE_INFINITY;
          for (int from = sign; step > 0 && from >= Math.max(0, sign - 2); from--) {
            if (from > sign - 2 || mayLeap(sign)) {
              way = logSum(way, ways[step - 1][from]);
            }
          }
          ways[step][sign] = way + x[place(step, sign)];
        }
      }
      return ways;
    }

    private static double start(int sign) {
      return sign < 2 ? 0 : Double.NEGATIVE_INFINITY;
    }

    /// Returns, for each step and symbol, the log-probability of reaching the end of the target
    /// from that symbol in the remaining steps.
    private double[][] waysOn() {
      double[][] ways = new double[steps][signs.length];
      for (int step = steps - 1; step >= 0; step--) {
        for (int sign = 0; sign < signs.length; sign++) {
          double way =
              step == steps - 1 ? start(signs.length - 1 - sign) : Double.NEGATIVE_INFINITY;
          int last = Math.min(signs.length - 1, sign + 2);
          for (int to = sign; step < steps - 1 && to <= last; to++) {
            if (to < sign + 2 || mayLeap(to)) {
              way = logSum(way, ways[step + 1][to] + x[place(step + 1, to)]);
            }
          }
          ways[step][sign] = way;
        }
      }
      return ways;
    }

    double logProbability() {
      if (steps == 0) {
        return signs.length == 1 ? 0 : Double.NEGATIVE_INFINITY;
      }
      return logProbability(ways()[steps - 1]);
    }

    private static double logProbability(double... last) {
      int end = last.length - 1;
      return end == 0 ? last[0] : logSum(last[end], last[end - 1]);
    }

    void addGradient(double factor, double[] dx) {
      double[][] before = ways();
      double[][] after = waysOn();
      double all = steps == 0 ? 0 : logProbability(before[steps - 1]);
      for (int step = 0; step < steps; step++) {
        for (int sign = 0; sign < signs.length; sign++) {
          dx[place(step, sign)] += factor * Math.exp(before[step][sign] + after[step][sign] - all);
        }
      }
    }

    private static double logSum(double a, double b) {
      double greater = Math.max(a, b);
      return greater == Double.NEGATIVE_INFINITY
          ? greater
          : greater + Math.log1p(Math.exp(Math.min(a, b) - greater));
    }
  }
}
