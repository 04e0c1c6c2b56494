// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Nodes;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings groups of values to mean 0 and variance 1: what layer, group and batch normalization
/// have in common.
public final class NormalizationOps {
  private NormalizationOps() {}

  /// What [#standardize] gives.
  ///
  /// @param values in the input's shape
  /// @param mean of each group, cut off from the graph
  /// @param variance of each group, divided by the number of its values; cut off too
  public record Standardized(Tensor values, Tensor mean, Tensor variance) {}

  /// Standardizes `x`, seen as `[n, groups, size]`, over the first and the last axis.
  ///
  /// @param epsilon what is added to the variance
  public static Standardized standardize(Tensor x, int groups, int size, double epsilon) {
    Compute.requireFloating("standardize", x);
    Tensor mean = Tensor.ofStorage(Shape.of(groups), x.dtype().newArray(groups));
    Tensor variance = Tensor.ofStorage(Shape.of(groups), x.dtype().newArray(groups));
    Tensor values = new Standardize(size, epsilon, mean, variance).apply(x);
    Trace.note(new Moments(groups, size), List.of(mean, variance), x);
    return new Standardized(values, mean, variance);
  }

  /// Mean and variance of each group, for who asks for these.
  private record Moments(int groups, int size) implements Traceable {
    @Override
    public String name() {
      return "moments";
    }

    @Override
    public List<String> onnxResults(Nodes nodes) {
      String x = grouped(nodes, groups, size);
      String mean = average(nodes, x);
      String deviation = nodes.add("Sub", x, mean);
      String variance = average(nodes, nodes.add("Mul", deviation, deviation));
      Shape each = Shape.of(groups);
      return List.of(nodes.reshaped(mean, each), nodes.reshaped(variance, each));
    }
  }

  /// The first input as `[n, groups, size]`.
  private static String grouped(Nodes nodes, int groups, int size) {
    int each = groups * size;
    int first = each == 0 ? 0 : nodes.shape(0).elements() / each;
    return nodes.reshaped(nodes.x(), Shape.of(first, groups, size));
  }

  private static String average(Nodes nodes, String of) {
    return nodes.add("ReduceMean", of, nodes.ints(0, 2));
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
    public String onnx(Nodes nodes) {
      String x = grouped(nodes, mean.shape().elements(), size);
      String deviation = nodes.add("Sub", x, average(nodes, x));
      String square = average(nodes, nodes.add("Mul", deviation, deviation));
      String root = nodes.add("Sqrt", nodes.add("Add", square, nodes.number(epsilon)));
      return nodes.reshaped(nodes.add("Div", deviation, root), nodes.shape(0));
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
