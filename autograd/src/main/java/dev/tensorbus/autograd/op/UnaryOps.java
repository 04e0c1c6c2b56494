// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import org.jspecify.annotations.Nullable;

/// Elementwise functions of one tensor. A [UnaryFunction] defines the function and its derivative.
public final class UnaryOps {
  private UnaryOps() {}

  /// Applies a function, with `operation` as its name in error messages.
  public static Tensor map(String operation, UnaryFunction function, Tensor x) {
    Compute.requireFloating(operation, x);
    return new Mapped(operation, function).apply(x);
  }

  /// See [Tensor#pow].
  public static Tensor pow(Tensor x, double exponent) {
    return map("pow", new UnaryFunction.Power(exponent), x);
  }

  /// See [Tensor#clamp].
  public static Tensor clamp(Tensor x, double min, double max) {
    if (Double.isNaN(min) || Double.isNaN(max)) {
      throw new IllegalArgumentException(
          "clamp: bounds %s and %s; expected numbers, or infinities for no bound"
              .formatted(min, max));
    }
    return map("clamp", new UnaryFunction.Clamp(min, max), x);
  }

  /// See [Tensor#leakyRelu].
  public static Tensor leakyRelu(Tensor x, double negativeSlope) {
    return map("leakyRelu", new UnaryFunction.LeakyRelu(negativeSlope), x);
  }

  private record Mapped(String name, UnaryFunction function) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return Compute.result(x, x.shape(), (k, values) -> k.map(function, array(x), values));
    }

    @Override
    public Derivative derivative(Application of) {
      return new Saved(function, function.keepsResult() ? of.result() : of.input(0));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue.Input x = inputs[0];
      return switch (function) {
        case UnaryFunction.Power(double exponent) -> operator("Pow").of(x, x.number(exponent));
        case UnaryFunction.Clamp(double min, double max) ->
            operator("Clip").of(x, x.number(min), x.number(max));
        case UnaryFunction.LeakyRelu(double negativeSlope) ->
            operator("LeakyRelu").withReal("alpha", negativeSlope).of(x);
        case UnaryFunctions.SILU -> operator("Mul").of(x, operator("Sigmoid").of(x));
        case UnaryFunctions.GELU_TANH -> gelu(x, operator("Tanh").of(approximation(x)));
        case UnaryFunctions.ABS -> operator("Abs").of(x);
        case UnaryFunctions.SIGN -> operator("Sign").of(x);
        case UnaryFunctions.FLOOR -> operator("Floor").of(x);
        case UnaryFunctions.CEIL -> operator("Ceil").of(x);
        case UnaryFunctions.ROUND -> operator("Round").of(x);
        case UnaryFunctions.SIN -> operator("Sin").of(x);
        case UnaryFunctions.COS -> operator("Cos").of(x);
        case UnaryFunctions.TAN -> operator("Tan").of(x);
        case UnaryFunctions.ASIN -> operator("Asin").of(x);
        case UnaryFunctions.ACOS -> operator("Acos").of(x);
        case UnaryFunctions.ATAN -> operator("Atan").of(x);
        case UnaryFunctions.SINH -> operator("Sinh").of(x);
        case UnaryFunctions.COSH -> operator("Cosh").of(x);
        case UnaryFunctions.RELU -> operator("Relu").of(x);
        case UnaryFunctions.RECIPROCAL -> operator("Reciprocal").of(x);
        case UnaryFunctions.SQRT -> operator("Sqrt").of(x);
        case UnaryFunctions.EXP -> operator("Exp").of(x);
        case UnaryFunctions.LOG -> operator("Log").of(x);
        case UnaryFunctions.SIGMOID -> operator("Sigmoid").of(x);
        case UnaryFunctions.TANH -> operator("Tanh").of(x);
        case UnaryFunctions.SOFTPLUS -> operator("Softplus").of(x);
        case UnaryFunctions.GELU -> gelu(x, erf(x));
        case UnaryFunctions.NORMAL_PROBABILITY -> probability(x);
      };
    }

    /// Returns `x / 2 * (1 + sign)`, in the nodes that ONNX Runtime replaces by a faster one. ONNX
    /// itself has Gelu since operator set 20.
    private static OnnxValue gelu(OnnxValue.Input x, OnnxValue sign) {
      OnnxValue half = operator("Mul").of(x, x.number(0.5));
      return operator("Mul").of(half, operator("Add").of(sign, x.number(1)));
    }

    /// Returns `(1 + erf(x / sqrt(2))) / 2`.
    private static OnnxValue probability(OnnxValue.Input x) {
      return operator("Mul").of(operator("Add").of(erf(x), x.number(1)), x.number(0.5));
    }

    private static OnnxValue erf(OnnxValue.Input x) {
      return operator("Erf").of(operator("Div").of(x, x.number(Math.sqrt(2))));
    }

    /// Returns `sqrt(2 / pi) * (x + 0.044715 * x^3)`.
    private static OnnxValue approximation(OnnxValue.Input x) {
      OnnxValue cube = operator("Pow").of(x, x.number(3));
      OnnxValue sum = operator("Add").of(x, operator("Mul").of(cube, x.number(0.044715)));
      return operator("Mul").of(sum, x.number(Math.sqrt(2 / Math.PI)));
    }

    private record Saved(UnaryFunction function, Tensor kept) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        if (function == UnaryFunctions.LOG) { // 1 / x overflows for tiny x
          return new Tensor[] {gradient.div(kept)};
        }
        Tensor slope = slope(function, kept);
        return new Tensor[] {
          slope == null
              ? new Straight(function).apply(gradient, kept.detach())
              : gradient.mul(slope)
        };
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {sloped(function, kept, gradient)};
      }
    }
  }

  private static Tensor sloped(UnaryFunction function, Tensor kept, Tensor gradient) {
    return Compute.result(
        kept, kept.shape(), (k, dx) -> k.mapGradient(function, array(kept), array(gradient), dx));
  }

  /// Multiplies a gradient by the slopes of a piecewise linear function. Their derivative is 0. The
  /// inputs are the gradient and the values that the function saved.
  private record Straight(UnaryFunction function) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return sloped(function, inputs[1], inputs[0]);
    }

    @Override
    public Derivative derivative(Application of) {
      Tensor kept = of.input(1);
      return (gradient, needed) -> new @Nullable Tensor[] {inBackward(gradient, kept), null};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue.Input gradient = inputs[0];
      OnnxValue.Input kept = inputs[1];
      OnnxValue zero = gradient.number(0);
      return switch (function) {
        case UnaryFunctions.RELU ->
            operator("Where").of(operator("LessOrEqual").of(kept, zero), zero, gradient);
        case UnaryFunctions.ABS -> operator("Mul").of(gradient, operator("Sign").of(kept));
        case UnaryFunction.LeakyRelu(double negativeSlope) -> {
          OnnxValue less = operator("Mul").of(gradient, gradient.number(negativeSlope));
          yield operator("Where").of(operator("Greater").of(kept, zero), gradient, less);
        }
        case UnaryFunction.Clamp(double min, double max) -> {
          OnnxValue above = operator("GreaterOrEqual").of(kept, kept.number(min));
          OnnxValue below = operator("LessOrEqual").of(kept, kept.number(max));
          yield operator("Where").of(operator("And").of(above, below), gradient, zero);
        }
        default -> gradient.zeros(gradient.shape()); // constant between its steps
      };
    }
  }

  /// Computes [UnaryFunction#derivative] with operations. Returns null for a piecewise linear
  /// function.
  ///
  /// @param kept the result if the function saves it for its derivative, otherwise `x`
  private static @Nullable Tensor slope(UnaryFunction function, Tensor kept) {
    return switch (function) {
      case UnaryFunction.Power(double exponent) ->
          exponent == 0 ? null : kept.pow(exponent - 1).scale(exponent);
      case UnaryFunction.Clamp _ -> null;
      case UnaryFunction.LeakyRelu _ -> null;
      case UnaryFunctions.ABS, UnaryFunctions.RELU -> null;
      case UnaryFunctions.SIGN, UnaryFunctions.FLOOR, UnaryFunctions.CEIL, UnaryFunctions.ROUND ->
          null;
      case UnaryFunctions.RECIPROCAL -> kept.mul(kept).neg();
      case UnaryFunctions.SQRT -> kept.reciprocal().scale(0.5);
      case UnaryFunctions.EXP -> kept;
      case UnaryFunctions.LOG -> kept.reciprocal();
      case UnaryFunctions.SIN -> kept.cos();
      case UnaryFunctions.COS -> kept.sin().neg();
      case UnaryFunctions.TAN -> kept.mul(kept).addScalar(1);
      case UnaryFunctions.ASIN -> oneLess(kept.mul(kept)).pow(-0.5);
      case UnaryFunctions.ACOS -> oneLess(kept.mul(kept)).pow(-0.5).neg();
      case UnaryFunctions.ATAN -> kept.mul(kept).addScalar(1).reciprocal();
      case UnaryFunctions.SINH -> kept.cosh();
      case UnaryFunctions.COSH -> kept.sinh();
      case UnaryFunctions.SIGMOID -> kept.sub(kept.mul(kept));
      case UnaryFunctions.TANH -> oneLess(kept.mul(kept));
      case UnaryFunctions.SILU -> {
        Tensor sigmoid = kept.sigmoid();
        yield sigmoid.add(kept.mul(sigmoid).mul(oneLess(sigmoid)));
      }
      case UnaryFunctions.SOFTPLUS -> kept.sigmoid().maskedFill(kept.gt(number(20, kept)), 1);
      case UnaryFunctions.GELU -> probability(kept).add(kept.mul(density(kept)));
      case UnaryFunctions.GELU_TANH -> geluTanhSlope(kept);
      case UnaryFunctions.NORMAL_PROBABILITY -> density(kept);
    };
  }

  private static Tensor number(double value, Tensor like) {
    return Tensor.full(Shape.SCALAR, like.dtype(), value);
  }

  /// Returns `1 - x`.
  private static Tensor oneLess(Tensor x) {
    return x.rsubScalar(1);
  }

  private static Tensor probability(Tensor x) {
    return map("normalProbability", UnaryFunctions.NORMAL_PROBABILITY, x);
  }

  /// Returns the density of the standard normal distribution.
  private static Tensor density(Tensor x) {
    return x.mul(x).scale(-0.5).exp().scale(1 / Math.sqrt(2 * Math.PI));
  }

  /// Returns `(1 + tanh(u) + x * (1 - tanh(u)²) * u') / 2`, where `u` is the argument of tanh.
  private static Tensor geluTanhSlope(Tensor x) {
    double scale = Math.sqrt(2 / Math.PI);
    double cubic = 0.044715;
    Tensor square = x.mul(x);
    Tensor tanh = x.add(square.mul(x).scale(cubic)).scale(scale).tanh();
    Tensor inner = square.scale(3 * cubic * scale).addScalar(scale);
    Tensor outer = oneLess(tanh.mul(tanh)).mul(x).mul(inner);
    return tanh.add(outer).addScalar(1).scale(0.5);
  }
}
