// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import dev.tensorbus.autograd.op.UnaryOps;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/// Operators that combine values at the same index.
final class Elementwise {
  private Elementwise() {}

  static void addTo(OperatorTable table) {
    arithmetic(table);
    comparisons(table);
    functions(table);
    activations(table);
  }

  private static void arithmetic(OperatorTable table) {
    learned(table, "Add", Tensor::add);
    learned(table, "Sub", Tensor::sub);
    learned(table, "Mul", Tensor::mul);
    learned(table, "Div", Tensor::div);
    table.add("Pow", Elementwise::pow);
    table.add("Mod", Elementwise::mod);
    table.add("Sum", call -> folded(call, Tensor::add));
    table.add("Mean", call -> folded(call, Tensor::add).scale(1.0 / call.inputs().size()));
    table.add("Max", call -> folded(call, Tensor::maximum));
    table.add("Min", call -> folded(call, Tensor::minimum));
  }

  private static void learned(OperatorTable table, String name, BinaryOperator<Tensor> function) {
    table.learned(name, call -> numeric(function, call.x(), call.y()));
  }

  private static Tensor folded(NodeCall call, BinaryOperator<Tensor> function) {
    return call.all().stream()
        .reduce((a, b) -> numeric(function, a, b))
        .orElseThrow(() -> new IllegalArgumentException("it has no inputs"));
  }

  /// Computes with integers as float64 numbers, which hold all sizes exactly; quotients are rounded
  /// towards zero, as in ONNX.
  private static Tensor numeric(BinaryOperator<Tensor> function, Tensor a, Tensor b) {
    return a.dtype() == DType.INT64
        ? function.apply(a.to(DType.FLOAT64), b.to(DType.FLOAT64)).to(DType.INT64)
        : function.apply(a, b);
  }

  static Tensor numeric(UnaryOperator<Tensor> function, Tensor x) {
    return x.dtype() == DType.INT64
        ? function.apply(x.to(DType.FLOAT64)).to(DType.INT64)
        : function.apply(x);
  }

  private static Tensor pow(NodeCall call) {
    Tensor x = call.x();
    Tensor exponent = call.y();
    if (exponent.shape().elements() == 1 && exponent.shape().rank() <= x.shape().rank()) {
      return numeric(base -> base.pow(call.number(1, 1)), x);
    }
    boolean isPositive =
        Arrays.stream(x.detach().gt(0).to(DType.INT64).longs()).allMatch(is -> is == 1);
    if (!x.dtype().isFloating() || !isPositive) {
      throw call.unsupported("a tensor of exponents, unless all bases are positive floats,");
    }
    return x.log().mul(exponent.to(x.dtype())).exp();
  }

  /// The remainder has the sign of the divisor for integers, and of the dividend for `fmod`. The
  /// quotient of float32 numbers is exact enough in float64: 5.1f / 0.1f is not 51.
  private static Tensor mod(NodeCall call) {
    Tensor a = call.x().to(DType.FLOAT64);
    Tensor b = call.y().to(DType.FLOAT64);
    Tensor quotient = a.div(b).detach();
    Tensor whole =
        call.flag("fmod", false) ? quotient.abs().floor().mul(quotient.sign()) : quotient.floor();
    return a.sub(whole.mul(b)).to(call.x().dtype());
  }

  private static void comparisons(OperatorTable table) {
    table.add("Equal", call -> call.x().eq(call.y()));
    table.add("Greater", call -> call.x().gt(call.y()));
    table.add("GreaterOrEqual", call -> call.x().ge(call.y()));
    table.add("Less", call -> call.x().lt(call.y()));
    table.add("LessOrEqual", call -> call.x().le(call.y()));
    table.add("And", call -> call.x().and(call.y()));
    table.add("Or", call -> call.x().or(call.y()));
    table.add("Xor", call -> call.x().ne(call.y()));
    table.add("Not", call -> call.x().not());
    table.add("Where", call -> where(call.x(), call.y(), call.input(2)));
  }

  static Tensor where(Tensor mask, Tensor a, Tensor b) {
    return a.dtype() == DType.BOOL
        ? mask.and(a).or(mask.not().and(b))
        : numeric((x, y) -> x.where(mask, y), a, b);
  }

  private static void functions(OperatorTable table) {
    unary(table, "Abs", Tensor::abs);
    unary(table, "Acos", Tensor::acos);
    unary(table, "Asin", Tensor::asin);
    unary(table, "Atan", Tensor::atan);
    unary(table, "Ceil", Tensor::ceil);
    unary(table, "Cos", Tensor::cos);
    unary(table, "Cosh", Tensor::cosh);
    unary(table, "Erf", Elementwise::erf);
    unary(table, "Exp", Tensor::exp);
    unary(table, "Floor", Tensor::floor);
    unary(table, "Log", Tensor::log);
    unary(table, "Neg", Tensor::neg);
    unary(table, "Reciprocal", Tensor::reciprocal);
    unary(table, "Round", Tensor::round);
    unary(table, "Sign", Tensor::sign);
    unary(table, "Sin", Tensor::sin);
    unary(table, "Sinh", Tensor::sinh);
    unary(table, "Sqrt", Tensor::sqrt);
    unary(table, "Tan", Tensor::tan);
    table.add("Clip", Elementwise::clip);
    table.add("IsNaN", call -> call.x().ne(call.x()));
    table.add("IsInf", Elementwise::isInf);
  }

  private static void unary(OperatorTable table, String name, UnaryOperator<Tensor> function) {
    table.add(name, call -> numeric(function, call.x()));
  }

  /// `erf(x)` is twice the normal probability of `sqrt(2) * x`, minus 1.
  private static Tensor erf(Tensor x) {
    return UnaryOps.map("erf", UnaryFunctions.NORMAL_PROBABILITY, x.scale(Math.sqrt(2)))
        .scale(2)
        .subScalar(1);
  }

  private static Tensor isInf(NodeCall call) {
    Tensor x = call.x();
    boolean isPositive = call.flag("detect_positive", true);
    if (!call.flag("detect_negative", true)) {
      return x.eq(isPositive ? Double.POSITIVE_INFINITY : Double.NaN); // nothing equals NaN
    }
    return (isPositive ? x.abs() : x.neg()).eq(Double.POSITIVE_INFINITY);
  }

  private static Tensor clip(NodeCall call) {
    double min = call.number(1, Double.NEGATIVE_INFINITY);
    double max = call.number(2, Double.POSITIVE_INFINITY);
    return numeric(x -> x.clamp(min, max), call.x());
  }

  private static void activations(OperatorTable table) {
    unary(table, "Relu", Tensor::relu);
    unary(table, "Sigmoid", Tensor::sigmoid);
    unary(table, "Softplus", Tensor::softplus);
    unary(table, "Tanh", Tensor::tanh);
    unary(table, "Softsign", x -> x.div(x.abs().addScalar(1)));
    unary(table, "Mish", x -> x.mul(x.softplus().tanh()));
    unary(table, "HardSwish", x -> x.mul(hardSigmoid(x, 1.0 / 6, 0.5)));
    table.add("Gelu", Elementwise::gelu);
    table.add("Elu", call -> elu(call.x(), call.real("alpha", 1)));
    table.add("Celu", Elementwise::celu);
    table.add("Selu", Elementwise::selu);
    table.add("LeakyRelu", call -> call.x().leakyRelu(call.real("alpha", 0.01)));
    table.learned("PRelu", call -> call.x().relu().sub(call.y().mul(call.x().neg().relu())));
    table.add(
        "HardSigmoid",
        call -> hardSigmoid(call.x(), call.real("alpha", 0.2), call.real("beta", 0.5)));
    table.add("Softmax", call -> call.x().softmax(call.integer("axis", -1)));
    table.add("LogSoftmax", call -> call.x().logSoftmax(call.integer("axis", -1)));
  }

  private static Tensor gelu(NodeCall call) {
    return call.text("approximate", "none").equals("tanh") ? call.x().geluTanh() : call.x().gelu();
  }

  private static Tensor elu(Tensor x, double alpha) {
    return x.relu().add(x.neg().relu().neg().exp().subScalar(1).scale(alpha));
  }

  private static Tensor celu(NodeCall call) {
    double alpha = call.real("alpha", 1);
    return call.x().relu().add(elu(call.x().neg().relu().neg().scale(1 / alpha), alpha));
  }

  private static Tensor selu(NodeCall call) {
    double alpha = call.real("alpha", 1.6732632423543772);
    return elu(call.x(), alpha).scale(call.real("gamma", 1.0507009873554805));
  }

  private static Tensor hardSigmoid(Tensor x, double alpha, double beta) {
    return x.scale(alpha).addScalar(beta).clamp(0, 1);
  }
}
