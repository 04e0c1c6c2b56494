// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings groups of values to mean 0 and variance 1, as layer, group and batch normalization do.
public final class NormalizationOps {
  private NormalizationOps() {}

  /// The result of [#standardize].
  ///
  /// @param values in the input's shape
  /// @param mean of each group, cut off from the graph
  /// @param variance of each group, divided by the number of its values; cut off too
  public record Standardized(Tensor values, Tensor mean, Tensor variance) {}

  /// Standardizes `x`, seen as `[n, groups, size]`, over the first and the last axis.
  ///
  /// @param epsilon is added to the variance
  public static Standardized standardize(Tensor x, int groups, int size, double epsilon) {
    Compute.requireFloating("standardize", x);
    Tensor mean = Tensor.ofStorage(Shape.of(groups), x.dtype().newArray(groups));
    Tensor variance = Tensor.ofStorage(Shape.of(groups), x.dtype().newArray(groups));
    Tensor values = new Standardize(size, epsilon, mean, variance).apply(x);
    Trace.note(new Moments(groups, size), List.of(mean, variance), x);
    return new Standardized(values, mean, variance);
  }

  /// Mean and variance of each group, for callers that need them.
  private record Moments(int groups, int size) implements Traceable {
    @Override
    public String name() {
      return "moments";
    }

    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      OnnxValue x = grouped(inputs[0], groups, size);
      OnnxValue mean = average(x);
      OnnxValue deviation = operator("Sub").of(x, mean);
      OnnxValue variance = average(operator("Mul").of(deviation, deviation));
      Shape each = Shape.of(groups);
      return List.of(mean.reshaped(each), variance.reshaped(each));
    }
  }

  /// An input as `[n, groups, size]`.
  private static OnnxValue grouped(OnnxValue.Input x, int groups, int size) {
    int each = groups * size;
    int first = each == 0 ? 0 : x.shape().elements() / each;
    return x.reshaped(Shape.of(first, groups, size));
  }

  private static OnnxValue average(OnnxValue of) {
    return operator("ReduceMean").of(of, ints(0, 2));
  }

  /// @param mean takes the means
  /// @param variance takes the variances
  private record Standardize(int size, double epsilon, Tensor mean, Tensor variance)
      implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return standardized(inputs[0], mean, variance);
    }

    private Tensor standardized(Tensor x, Tensor means, Tensor variances) {
      return Compute.result(
          x,
          x.shape(),
          (k, to) ->
              k.standardize(x.storage(), size, epsilon, means.storage(), variances.storage(), to));
    }

    @Override
    public Result forward(Tensor... inputs) {
      Tensor y = value(inputs);
      return new Result(y, new Standardize.Saved(size, epsilon, variance, y));
    }

    /// Computes the variances of values that were standardized elsewhere.
    @Override
    public Derivative derivative(Application of) {
      int groups = mean.shape().elements();
      Tensor variances = Tensor.full(Shape.of(groups), of.type(0), 0);
      Tensor means = Tensor.full(Shape.of(groups), of.type(0), 0);
      Tensor y = standardized(of.input(0), means, variances);
      return new Standardize.Saved(size, epsilon, variances, y);
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue x = grouped(inputs[0], mean.shape().elements(), size);
      OnnxValue deviation = operator("Sub").of(x, average(x));
      OnnxValue square = average(operator("Mul").of(deviation, deviation));
      OnnxValue root = operator("Sqrt").of(operator("Add").of(square, inputs[0].number(epsilon)));
      return operator("Div").of(deviation, root).reshaped(inputs[0].shape());
    }

    private record Saved(int size, double epsilon, Tensor variance, Tensor y)
        implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              y,
              y.shape(),
              (k, dx) ->
                  k.standardizeGradient(
                      y.storage(), size, epsilon, variance.storage(), gradient.storage(), dx))
        };
      }
    }
  }
}
