// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.functional.Normalizations;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import java.util.List;
import java.util.function.UnaryOperator;

/// Operations along axes: reductions, permutations and expansions.
final class Reduce extends Group {
  private static final int SIDE = 4096;
  private static final int CLASSES = 1024;
  private static final int LARGE = 10_000;

  Reduce() {
    super("reduce");
    addReductions();
    addBroadcasts();
    addOtherShapes();
    addMoves();
    addPasses();
    forward("sum0.10000", x -> x.sum(0), LARGE, LARGE);
    forward("sum1.10000", x -> x.sum(1), LARGE, LARGE);
  }

  private void addReductions() {
    square("sum0", x -> x.sum(0));
    square("sum1", x -> x.sum(1));
    square("mean1", x -> x.mean(1));
    square("var1", x -> x.var(1));
    square("max1", x -> x.max(1));
    square("max0", x -> x.max(0));
    square("argmax1", x -> x.argmax(1));
    square("softmax1", x -> x.softmax(1));
    square("softmax0", x -> x.softmax(0));
    square("logSoftmax1", x -> x.logSoftmax(1));
  }

  private void addBroadcasts() {
    square("transpose", x -> x.transpose(0, 1));
    forward("addrow.4096", Tensor::add, Shape.of(SIDE, SIDE), Shape.of(SIDE));
    forward("addcol.4096", Tensor::add, Shape.of(SIDE, SIDE), Shape.of(SIDE, 1));
    forward("mulchannel.256x3x64x64", Tensor::mul, Shape.of(256, 3, 64, 64), Shape.of(1, 3, 1, 1));
  }

  private void addOtherShapes() {
    forward("softmax.16x1M", x -> x.softmax(1), 16, 1_000_000);
    forward("softmax.1x1M", x -> x.softmax(1), 1, 1 << 20);
    forward("sum1.512x1024x3", x -> x.sum(1), 512, 1024, 3);
    forward("sum02.512x1024x3", x -> x.sum(0, 2), 512, 1024, 3);
    forward("permute.16x128x8x32", x -> x.permute(0, 2, 1, 3), 16, 128, 8, 32);
  }

  private void addMoves() {
    square("slice", x -> x.slice(1, 1, SIDE - 1));
    add("indexSelect0.4096", () -> indexSelect(0));
    add("indexSelect1.4096", () -> indexSelect(1));
    add("gather1.4096x1024", this::gather);
    add("scatterAdd1.4096x1024", this::scatterAdd);
    square("concat1", x -> Tensor.concatenate(List.of(x, x), 1));
  }

  private void addPasses() {
    add("layerNorm.fb.4096x1024", this::layerNorm);
    pass("softmax.fb.4096x1024", x -> x.softmax(1));
    add("crossEntropy.fb.4096x1024", this::crossEntropy);
    add("CrossEntropyLoss.fb.4096x1024", this::crossEntropyLoss);
    pass("gelu.fb.4M", Tensor::gelu);
    pass("tanh.fb.4M", Tensor::tanh);
    pass("mul.fb.4M", x -> x.mul(x));
    add("maximum.fb.4M", this::maximum);
  }

  private void square(String name, UnaryOperator<Tensor> function) {
    forward(name + ".4096", function, SIDE, SIDE);
  }

  private void pass(String name, UnaryOperator<Tensor> function) {
    forwardBackward(name, function, SIDE, CLASSES);
  }

  private Runnable indexSelect(int axis) {
    Tensor x = randn(SIDE, SIDE);
    Tensor index = indices(SIDE, SIDE);
    return () -> x.indexSelect(axis, index);
  }

  private Runnable gather() {
    Tensor x = randn(SIDE, SIDE);
    Tensor index = indices(SIDE, SIDE, CLASSES);
    return () -> x.gather(1, index);
  }

  private Runnable scatterAdd() {
    Tensor zeros = Tensor.zeros(SIDE, SIDE);
    Tensor index = indices(SIDE, SIDE, CLASSES);
    Tensor values = randn(SIDE, CLASSES);
    return () -> zeros.scatterAdd(1, index, values);
  }

  private Runnable layerNorm() {
    Tensor x = leaf(SIDE, CLASSES);
    Tensor weight = leaf(CLASSES);
    Tensor bias = leaf(CLASSES);
    return () ->
        backward(
            Normalizations.layerNorm(x, weight, bias, Normalizations.EPSILON), x, weight, bias);
  }

  private Runnable crossEntropy() {
    Tensor logits = leaf(SIDE, CLASSES);
    Tensor labels = indices(CLASSES, SIDE);
    return () -> {
      Losses.crossEntropy(logits, labels).backward();
      logits.zeroGrad();
    };
  }

  private Runnable crossEntropyLoss() {
    Tensor logits = leaf(SIDE, CLASSES);
    Tensor labels = indices(CLASSES, SIDE);
    CrossEntropyLoss loss = new CrossEntropyLoss();
    return () -> {
      loss.forward(logits, labels).backward();
      logits.zeroGrad();
    };
  }

  private Runnable maximum() {
    Tensor x = leaf(SIDE, CLASSES);
    Tensor other = randn(SIDE, CLASSES);
    return () -> backward(x.maximum(other), x);
  }
}
