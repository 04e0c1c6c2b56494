// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;

/// Matrix products: square, thin and batched ones, and linear layers.
final class Matmul extends Group {
  private static final int SIZE = 1024;

  Matmul() {
    super("matmul");
    addProducts();
    addBatches();
    for (int rows : new int[] {1, 32, 512}) {
      add("linear.%dx1024x1024".formatted(rows), () -> linear(rows));
    }
    add("linear.fb.512x1024x1024", this::linearPass);
    add("matmulAtB.fb.512", this::transposedPass);
    add("matmul.f64.256", () -> doubles(256));
    add("matmul.f64.512", () -> doubles(512));
  }

  private void addProducts() {
    product("512", 512, 512, 512);
    product("1024", 1024, 1024, 1024);
    product("1x4096x4096", 1, 4096, 4096);
    product("4096x4096x1", 4096, 4096, 1);
    product("4x4096x4096", 4, 4096, 4096);
    product("16x4096x4096", 16, 4096, 4096);
    product("4096x4096x16", 4096, 4096, 16);
    product("65536x16x16", 65_536, 16, 16);
    product("65536x64x64", 65_536, 64, 64);
    product("16x65536x16", 16, 65_536, 16);
    product("4096x8x4096", 4096, 8, 4096);
    product("31x33x17", 31, 33, 17);
    product("8x8x8", 8, 8, 8);
  }

  private void addBatches() {
    matmul("b1024x16x16x16", Shape.of(1024, 16, 16), Shape.of(1024, 16, 16));
    matmul("b128x128x32x128", Shape.of(128, 128, 32), Shape.of(128, 32, 128));
    matmul("b128x128x128x32", Shape.of(128, 128, 128), Shape.of(128, 128, 32));
    matmul("b10000x4x4x4", Shape.of(10_000, 4, 4), Shape.of(10_000, 4, 4));
  }

  /// Adds a benchmark of the product of an `[m, k]` and a `[k, n]` matrix.
  private void product(String name, int m, int k, int n) {
    matmul(name, Shape.of(m, k), Shape.of(k, n));
  }

  private void matmul(String name, Shape a, Shape b) {
    forward("matmul." + name, Tensor::matmul, a, b);
  }

  private Runnable doubles(int size) {
    Tensor a = randn(size, size).to(DType.FLOAT64);
    Tensor b = randn(size, size).to(DType.FLOAT64);
    return () -> a.matmul(b);
  }

  private Runnable linear(int rows) {
    Tensor x = randn(rows, SIZE);
    Tensor weight = randn(SIZE, SIZE);
    Tensor bias = randn(SIZE);
    return () -> x.linear(weight, bias);
  }

  private Runnable linearPass() {
    Tensor x = leaf(512, SIZE);
    Tensor weight = leaf(SIZE, SIZE);
    Tensor bias = leaf(SIZE);
    return () -> backward(x.linear(weight, bias), x, weight, bias);
  }

  private Runnable transposedPass() {
    Tensor a = leaf(512, 512);
    Tensor b = leaf(512, 512);
    return () -> backward(a.transpose(0, 1).matmul(b), a, b);
  }
}
