// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/// Elementwise operations on tensors that fit into the second-level cache, only into the last-level
/// cache, and into neither.
final class Elementwise extends Group {
  Elementwise() {
    super("elementwise");
    addAll("16K", 1 << 14);
    addAll("1M", 1 << 20);
    addAll("16M", 1 << 24);
  }

  private void addAll(String size, int count) {
    binary("add", size, count, Tensor::add);
    binary("mul", size, count, Tensor::mul);
    unary("scale", size, count, x -> x.scale(1.1));
    unary("relu", size, count, Tensor::relu);
    unary("exp", size, count, Tensor::exp);
    unary("tanh", size, count, Tensor::tanh);
    unary("gelu", size, count, Tensor::gelu);
    unary("sigmoid", size, count, Tensor::sigmoid);
    unary("sqrt", size, count, Tensor::sqrt);
    unary("abs", size, count, Tensor::abs);
    unary("pow2", size, count, x -> x.pow(2));
    unary("pow3", size, count, x -> x.pow(3));
    unary("clamp", size, count, x -> x.clamp(-0.5, 0.5));
    unary("sum", size, count, Tensor::sum);
    binary("gt", size, count, Tensor::gt);
    add("where." + size, () -> where(count));
    binary("maximum", size, count, Tensor::maximum);
    unary("dropout", size, count, x -> x.dropout(0.5f, random));
    if (count < 1 << 24) {
      unary("to64", size, count, x -> x.to(DType.FLOAT64));
    }
    add("randn." + size, () -> () -> randn(count));
  }

  private void unary(String name, String size, int count, UnaryOperator<Tensor> function) {
    forward(name + "." + size, function, count);
  }

  private void binary(String name, String size, int count, BinaryOperator<Tensor> function) {
    forward(name + "." + size, function, Shape.of(count), Shape.of(count));
  }

  private Runnable where(int count) {
    Tensor a = randn(count);
    Tensor b = randn(count);
    Tensor mask = a.gt(b);
    return () -> a.where(mask, b);
  }
}
