// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Sliding.Pair;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.convolution.ConvolutionOptions;
import dev.tensorbus.nn.functional.Attention;
import dev.tensorbus.nn.functional.Poolings;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.nn.transformer.TransformerEncoderLayer;
import dev.tensorbus.nn.transformer.TransformerOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Small networks learn as they do on PyTorch; `torch/training.py` made weights, batches, losses.
@Isolated("it measures the heap")
final class TrainingTest {
  private static final int TOKENS = 11;
  private static final int LENGTH = 12;
  private static final int BATCHES = 4;
  private static final int STEPS = 200;

  /// Steps until what is rounded otherwise has grown too far to compare.
  private static final int COMPARED = 20;

  private final Map<String, Tensor> reference = TorchResource.read("training");

  static final class ConvNet extends Layer {
    private final Conv2d conv1;
    private final BatchNorm norm = child("norm", new BatchNorm(4));
    private final Conv2d conv2;
    private final Linear fc;

    private ConvNet(RandomGenerator random) {
      conv1 = child("conv1", new Conv2d(ConvolutionOptions.of(1, 4, 3).withPadding(1), random));
      conv2 = child("conv2", new Conv2d(ConvolutionOptions.of(4, 8, 3).withStride(2), random));
      fc = child("fc", new Linear(8, 3, random));
    }

    private Tensor forward(Tensor images) {
      Tensor features = norm.forward(conv1.forward(images)).relu();
      Sliding overlapping = Sliding.ONE.withStride(2).withPadding(1);
      Tensor pooled = Poolings.maxPool2d(features, Pair.of(3), overlapping);
      Tensor means = Poolings.adaptiveAvgPool2d(conv2.forward(pooled).relu(), Pair.of(1));
      return fc.forward(means.flatten(1));
    }
  }

  static final class Recurrent extends Layer {
    private final Embedding embedding;
    private final Lstm lstm;
    private final Linear decoder;

    private Recurrent(RandomGenerator random) {
      embedding = child("embedding", new Embedding(TOKENS, 8, random));
      lstm = child("lstm", new Lstm(8, 16, 2, random));
      decoder = child("decoder", new Linear(16, TOKENS, random));
    }

    private Tensor forward(Tensor tokens) {
      Tensor sequence = lstm.forward(embedding.forward(tokens)).sequence();
      return decoder.forward(sequence).reshape(-1, TOKENS);
    }
  }

  static final class Transformer extends Layer {
    private final Embedding embedding;
    private final Tensor positions =
        parameter("positions", Shape.of(LENGTH, 16), new float[LENGTH * 16]);
    private final TransformerEncoderLayer layer1;
    private final TransformerEncoderLayer layer2;
    private final Linear decoder;

    private Transformer(RandomGenerator random) {
      TransformerOptions options = TransformerOptions.of(16, 2).withFeedforward(32).withDropout(0);
      embedding = child("embedding", new Embedding(TOKENS, 16, random));
      layer1 = child("layer1", new TransformerEncoderLayer(options, random));
      layer2 = child("layer2", new TransformerEncoderLayer(options, random));
      decoder = child("decoder", new Linear(16, TOKENS, random));
    }

    private Tensor forward(Tensor tokens) {
      Tensor mask = Attention.causalMask(LENGTH, LENGTH);
      Tensor x = embedding.forward(tokens).add(positions);
      x = layer2.forward(layer1.forward(x, mask), mask);
      return decoder.forward(x).reshape(-1, TOKENS);
    }
  }

  @Test
  void aConvNetLearnsAsOnTorch() {
    ConvNet net = new ConvNet(new SplittableRandom(1));
    trains("convNet", net, net::forward, 0.2f, 0.01f);
  }

  @Test
  void anLstmLearnsAsOnTorch() {
    Recurrent net = new Recurrent(new SplittableRandom(1));
    trains("recurrent", net, net::forward, 1, 0.4f);
  }

  @Test
  void aTransformerLearnsAsOnTorch() {
    Transformer net = new Transformer(new SplittableRandom(1));
    trains("transformer", net, net::forward, 0.1f, 0.3f);
  }

  @Test
  void theHeapStaysFlatOverTenThousandSteps() {
    SplittableRandom random = new SplittableRandom(1);
    Lstm lstm = new Lstm(3, 4, 1, random);
    Linear decoder = new Linear(4, 2, random);
    Tensor x = Tensor.randn(random, 2, 3, 3);
    steps(lstm, decoder, x, 500);
    long before = usedHeap();
    steps(lstm, decoder, x, 10_000);
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    long grown = usedHeap() - before;
    while (grown >= 1 << 20 && System.nanoTime() < end) { // one collection may leave garbage
      grown = usedHeap() - before;
    }
    // A hundred bytes kept of each step would be a mebibyte.
    assertThat(grown).isLessThan(1 << 20);
  }

  private static void steps(Lstm lstm, Linear decoder, Tensor x, int count) {
    for (int step = 0; step < count; step++) {
      Tensor y = decoder.forward(lstm.forward(x).sequence().reshape(6, 4));
      y.mul(y).mean().backward();
      for (Layer layer : List.of(lstm, decoder)) {
        for (Tensor parameter : layer.parameters()) {
          Tensor gradient = Objects.requireNonNull(parameter.grad());
          parameter.replace(old -> old.sub(gradient.scale(0.01)));
          parameter.zeroGrad();
        }
      }
    }
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /// @param goal the loss to reach
  private void trains(
      String name, Layer net, UnaryOperator<Tensor> forward, float rate, float goal) {
    net.load(TorchResource.state(reference, name));
    float[] expected = get(name + "/losses").values();
    float loss = 0;
    for (int step = 0; step < STEPS; step++) {
      loss = step(name, step % BATCHES, net, forward, rate);
      if (step < COMPARED) {
        assertThat(loss).as("%s, step %d", name, step).isCloseTo(expected[step], within(1e-3f));
      }
    }
    assertThat(loss).as(name).isLessThan(goal);
  }

  private float step(String name, int batch, Layer net, UnaryOperator<Tensor> forward, float rate) {
    net.parameters().forEach(Tensor::zeroGrad);
    Tensor logits = forward.apply(get(name + "/x" + batch));
    Tensor loss = new CrossEntropyLoss().forward(logits, get(name + "/labels" + batch));
    loss.backward();
    for (Tensor parameter : net.parameters()) {
      Tensor gradient = Objects.requireNonNull(parameter.grad());
      parameter.replace(old -> old.sub(gradient.scale(rate)));
    }
    return loss.item();
  }

  private Tensor get(String name) {
    return Objects.requireNonNull(reference.get(name), name);
  }
}
