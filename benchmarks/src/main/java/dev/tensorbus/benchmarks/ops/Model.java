// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.functional.Attention;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.recurrent.Gru;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.nn.recurrent.RecurrentOptions;
import dev.tensorbus.nn.transformer.TransformerEncoderLayer;
import dev.tensorbus.nn.transformer.TransformerOptions;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Layers that consist of several operations, and small networks.
final class Model extends Group {
  Model() {
    super("model");
    addTransformers();
    add("sdpa.fb.16x8x128x32", () -> attention(null));
    add("sdpa.causal.fb.16x8x128x32", () -> attention(Attention.causalMask(128, 128)));
    add("bilstm.fb.50x32x128x256", this::bilstm);
    add("gru.fb.50x32x128x256", () -> gru(RecurrentOptions.of(128, 256), 50, 32, 128));
    add("gru.fb.1000x1x16", () -> gru(RecurrentOptions.of(16, 16), 1000, 1, 16));
    add("mlp.step.64x784x256x10", this::step);
    add("mlp.tiny.fb", this::tiny);
  }

  private void addTransformers() {
    TransformerOptions plain = transformer(256, 8).withFeedforward(1024).withGelu();
    transformer("16x128x256h8", plain, 16, 128, 256);
    transformer("drop.16x128x256h8", plain.withDropout(0.1f), 16, 128, 256);
    transformer("4x512x256h8", plain, 4, 512, 256);
    TransformerOptions small = transformer(64, 2).withFeedforward(256);
    transformer("1x2048x64h2", small, 1, 2048, 64);
    transformer("64x16x64h4", transformer(64, 4).withFeedforward(256), 64, 16, 64);
  }

  private static TransformerOptions transformer(int size, int heads) {
    return TransformerOptions.of(size, heads).withDropout(0).withNormFirst();
  }

  private void transformer(String name, TransformerOptions options, int... sizes) {
    add(
        "transformer.f." + name,
        () -> {
          TransformerEncoderLayer layer = new TransformerEncoderLayer(options, random);
          Tensor x = leaf(sizes);
          return () -> NoGrad.run(() -> layer.forward(x, null));
        });
    add(
        "transformer.fb." + name,
        () -> {
          TransformerEncoderLayer layer = new TransformerEncoderLayer(options, random);
          return pass(layer, x -> layer.forward(x, null), leaf(sizes));
        });
  }

  private Runnable attention(@Nullable Tensor mask) {
    Tensor query = leaf(16, 8, 128, 32);
    Tensor key = leaf(16, 8, 128, 32);
    Tensor value = leaf(16, 8, 128, 32);
    return () -> backward(Attention.scaledDotProduct(query, key, value, mask), query, key, value);
  }

  private Runnable bilstm() {
    Lstm lstm = new Lstm(RecurrentOptions.of(128, 256).withLayers(2).withBothDirections(), random);
    return pass(lstm, x -> lstm.forward(x).sequence(), randn(50, 32, 128));
  }

  private Runnable gru(RecurrentOptions options, int... sizes) {
    Gru gru = new Gru(options, random);
    return pass(gru, x -> gru.forward(x).sequence(), randn(sizes));
  }

  private Runnable step() {
    Sequential net = network(784, 256, 10);
    Optimizer optimizer = new Adam(0.001).over(net.parameters());
    Tensor x = randn(64, 784);
    Tensor labels = Tensor.of(random.longs(64, 0, 10).toArray());
    return () -> {
      optimizer.zeroGrad();
      Losses.crossEntropy(net.forward(x), labels).backward();
      optimizer.step();
    };
  }

  private Runnable tiny() {
    Sequential net = network(4, 16, 2);
    return pass(net, net::forward, randn(1, 4));
  }

  private Sequential network(int inputs, int hidden, int outputs) {
    return new Sequential(
        new Linear(inputs, hidden, random), new Relu(), new Linear(hidden, outputs, random));
  }

  private static Runnable pass(Layer layer, UnaryOperator<Tensor> function, Tensor x) {
    return () -> {
      backward(function.apply(x), x);
      layer.zeroGrad();
    };
  }
}
