// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Functional;
import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.op.Broadcast;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.FusedForward;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Normalizes groups of values to mean 0 and variance 1, and applies weight and bias, for layer,
/// group and batch normalization.
public final class NormalizationOps {
  private NormalizationOps() {}

  /// The result of [#normalize].
  ///
  /// @param values the normalized values in the input's shape
  /// @param mean the mean of each group, detached from the graph
  /// @param variance the biased variance of each group, detached from the graph
  public record Normalized(Tensor values, Tensor mean, Tensor variance) {}

  /// Normalizes groups of `x`.
  ///
  /// @param parameters the shape to which weight and bias are reshaped so that they can be
  ///     broadcast
  public static Normalized normalize(
      NormalizationShape shape, Shape parameters, Tensor x, Tensor weight, Tensor bias) {
    Compute.requireOneType("normalize", x, weight, bias);
    Moments moments = Moments.ofGroups(shape.groups());
    Tensor values = new Normalize(shape, parameters, moments).apply(x, weight, bias);
    Shape each = Shape.of(shape.groups());
    Tensor mean = Compute.rounded(x, each, moments.mean());
    Tensor variance = Compute.rounded(x, each, moments.variance());
    Trace.note(new Statistics(shape), List.of(mean, variance), x);
    return new Normalized(values, mean, variance);
  }

  /// Computes the mean and variance of each group in a trace, for callers that use them.
  private record Statistics(NormalizationShape shape) implements Traceable {
    @Override
    public String name() {
      return "moments";
    }

    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      OnnxValue x = grouped(inputs[0], shape);
      OnnxValue mean = average(x);
      OnnxValue deviation = operator("Sub").of(x, mean);
      OnnxValue variance = average(operator("Mul").of(deviation, deviation));
      Shape each = Shape.of(shape.groups());
      return List.of(mean.reshaped(each), variance.reshaped(each));
    }
  }

  /// Returns an input as `[n, groups, size]`.
  private static OnnxValue grouped(OnnxValue.Input x, NormalizationShape shape) {
    int each = shape.groups() * shape.size();
    int first = each == 0 ? 0 : x.shape().elements() / each;
    return x.reshaped(Shape.of(first, shape.groups(), shape.size()));
  }

  private static OnnxValue average(OnnxValue of) {
    return operator("ReduceMean").of(of, ints(0, 2));
  }

  /// Scales and shifts each channel of `[n, channels, …]`.
  public static Tensor affineChannels(Tensor x, Tensor factors, Tensor terms) {
    Compute.requireOneType("affineChannels", x, factors, terms);
    int[] parameters = new int[x.shape().rank()];
    Arrays.fill(parameters, 1);
    parameters[1] = x.shape().size(1);
    int planes = x.shape().size(0) * x.shape().size(1);
    int size = planes == 0 ? 0 : x.shape().elements() / planes;
    return new AffineChannels(size, Shape.of(parameters)).apply(x, factors, terms);
  }

  /// @param size the number of contiguous values of a channel
  /// @param parameters the shape to which factors and terms are reshaped so that they can be
  ///     broadcast
  private record AffineChannels(int size, Shape parameters) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Object x = array(inputs[0]);
      Object factors = array(inputs[1]);
      Object terms = array(inputs[2]);
      return Compute.result(
          inputs[0], inputs[0].shape(), (k, y) -> k.affineChannels(x, size, factors, terms, y));
    }

    @Override
    public Derivative derivative(Application of) {
      return new AffineSaved(this, of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue scaled = operator("Mul").of(inputs[0], inputs[1].reshaped(parameters));
      return operator("Add").of(scaled, inputs[2].reshaped(parameters));
    }
  }

  private record AffineSaved(AffineChannels affine, Tensor x, Tensor factors)
      implements Operation.Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      Tensor zeros = Tensor.full(factors.shape(), factors.dtype(), 0);
      return new @Nullable Tensor[] {
        needed[0] ? affine.inBackward(gradient, factors, zeros) : null,
        needed[1] ? sums(gradient.mul(x)) : null,
        needed[2] ? sums(gradient) : null
      };
    }

    private Tensor sums(Tensor of) {
      return Broadcast.reduce(of, affine.parameters()).reshape(factors.shape().toArray());
    }
  }

  /// @param moments receives the means and the variances
  private record Normalize(NormalizationShape shape, Shape parameters, Moments moments)
      implements FusedForward {
    private Tensor normalized(Moments found, Tensor x, Tensor weight, Tensor bias) {
      return Compute.result(
          x,
          x.shape(),
          (k, y) -> k.normalize(shape, array(x), array(weight), array(bias), found, y));
    }

    @Override
    public Result forward(Tensor... inputs) {
      return new Result(
          normalized(moments, inputs[0], inputs[1], inputs[2]),
          new Saved(shape, parameters, moments, inputs[0], inputs[1]));
    }

    /// Computes the moments again if another engine normalized the values.
    @Override
    public Derivative derivative(Application of) {
      Moments found = Moments.ofGroups(shape.groups());
      normalized(found, of.input(0), of.input(1), of.input(2));
      return new Saved(shape, parameters, found, of.input(0), of.input(1));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue x = grouped(inputs[0], shape);
      OnnxValue deviation = operator("Sub").of(x, average(x));
      OnnxValue square = average(operator("Mul").of(deviation, deviation));
      OnnxValue variance = operator("Add").of(square, inputs[0].number(shape.epsilon()));
      OnnxValue normal = operator("Div").of(deviation, operator("Sqrt").of(variance));
      OnnxValue scaled =
          operator("Mul").of(normal.reshaped(inputs[0].shape()), repeatable(inputs[1]));
      return operator("Add").of(scaled, repeatable(inputs[2]));
    }

    private OnnxValue repeatable(OnnxValue.Input parameter) {
      return parameter.shape().equals(parameters) ? parameter : parameter.reshaped(parameters);
    }
  }

  /// Saves the input instead of the normalized values, since other operations save the input
  /// anyway.
  private record Saved(
      NormalizationShape shape, Shape parameters, Moments moments, Tensor x, Tensor weight)
      implements Operation.Derivative {
    /// Differentiates the same normalization composed of separate operations, which are recorded.
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      List<Tensor> both =
          Functional.vjp(in -> weighted(in.get(0), in.get(1)), List.of(x, weight), gradient);
      Tensor bias = Broadcast.reduce(gradient, parameters).reshape(weight.shape().toArray());
      return new Tensor[] {both.get(0), both.get(1), bias};
    }

    private Tensor weighted(Tensor x, Tensor weight) {
      int each = shape.groups() * shape.size();
      int first = each == 0 ? 0 : x.shape().elements() / each;
      Tensor groups = x.reshape(first, shape.groups(), shape.size());
      Tensor centred = groups.sub(mean(groups));
      Tensor deviation = centred.sub(mean(centred)); // again, since the mean was rounded
      Tensor epsilon = Tensor.full(Shape.SCALAR, x.dtype(), shape.epsilon());
      Tensor root = mean(deviation.mul(deviation)).add(epsilon).sqrt();
      Tensor normal = deviation.div(root).reshape(x.shape().toArray());
      return normal.mul(weight.reshape(parameters.toArray()));
    }

    private static Tensor mean(Tensor groups) {
      double count = groups.shape().size(0) * groups.shape().size(2);
      return groups.sum(0, 2).unsqueeze(1).scale(1 / count);
    }

    @Override
    public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
      Tensor weightGradient = Tensor.full(weight.shape(), weight.dtype(), 0);
      Tensor biasGradient = Tensor.full(weight.shape(), weight.dtype(), 0);
      Tensor xGradient =
          Compute.result(
              x,
              x.shape(),
              (k, dx) ->
                  k.normalizeGradient(
                      shape,
                      array(x),
                      array(weight),
                      moments,
                      array(gradient),
                      dx,
                      array(weightGradient),
                      array(biasGradient)));
      return new @Nullable Tensor[] {
        needed[0] ? xGradient : null,
        needed[1] ? weightGradient : null,
        needed[2] ? biasGradient : null
      };
    }
  }
}
