// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.UnaryFunction;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import org.jspecify.annotations.Nullable;

/// Operations that apply a function of one number to each value. The function and its derivative
/// are a [UnaryFunction].
public final class UnaryOps {
  private UnaryOps() {}

  /// Applies a function whose name in messages is `operation`.
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
      return Compute.result(x, x.shape(), (k, values) -> k.map(function, x.storage(), values));
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
        case UnaryFunctions.GELU_TANH -> operator("Gelu").withText("approximate", "tanh").of(x);
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
        case UnaryFunctions.GELU -> operator("Gelu").of(x);
      };
    }

    private record Saved(UnaryFunction function, Tensor kept) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              kept,
              kept.shape(),
              (k, dx) -> k.mapGradient(function, kept.storage(), gradient.storage(), dx))
        };
      }
    }
  }
}
