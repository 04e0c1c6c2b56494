// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import static dev.tensorbus.nn.functional.Losses.crossEntropy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.CompiledLoss;
import dev.tensorbus.autograd.onnx.CompiledStep;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.autograd.onnx.memory.OrtApi;
import dev.tensorbus.autograd.onnx.runtime.CudaKernels;
import dev.tensorbus.models.LstmTagger;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.gpt.Gpt;
import dev.tensorbus.models.gpt.GptOptions;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Tanh;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Compiled;
import dev.tensorbus.optim.Optimizer;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Compiled steps, in this JVM alone: a log, a system property and counts are the JVM's.
@Isolated
final class CompiledBenchTest {
  /// Collects the operators of compiled steps.
  private static final class Operators extends Handler {
    private final List<String> operators = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord entry) {
      if (entry.getMessage().startsWith("operators of the step")) {
        operators.addAll(Arrays.asList(entry.getParameters()[0].toString().split(" ")));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static Stream<TrainedNetwork> networks() {
    SplittableRandom random = new SplittableRandom(1);
    ResNetOptions residual = ResNetOptions.resnet18(10).withWidth(2).forSmallImages();
    Loss ofRows = (scores, wanted) -> crossEntropy(scores.reshape(-1, 10), wanted.reshape(-1));
    Tensor words = TrainedNetwork.whole(random, 10, 4, 3);
    Tensor labels = TrainedNetwork.whole(random, 10, 2);
    return Stream.of(
        TrainedNetwork.of(
            "mnist", new MnistNet(random), Losses::nllLoss, Tensor.ones(2, 1, 28, 28), labels),
        TrainedNetwork.of(
            "resnet18",
            new ResNet(residual, random),
            Losses::crossEntropy,
            Tensor.randn(random, 2, 3, 8, 8),
            labels),
        TrainedNetwork.of(
            "gpt", new Gpt(new GptOptions(10, 3, 8, 1, 2, 0.1f), random), ofRows, words, words),
        TrainedNetwork.of("lstm", new LstmTagger(10, 4, 5, 10, random), ofRows, words, words));
  }

  /// So a step on a GPU copies nothing between its first node and its last one.
  @ParameterizedTest
  @MethodSource("networks")
  void everyNodeOfAStepHasACudaKernel(TrainedNetwork network) {
    Operators found = new Operators();
    Logger logger = Logger.getLogger(CompiledStep.class.getName());
    Level before = logger.getLevel();
    logger.addHandler(found);
    logger.setLevel(Level.FINE);
    Optimizer optimizer = new Adam(0.001).over(network.model().parameters());
    try (Compiled step = Compiled.ofAll(network.model(), network.loss(), optimizer, Device.CPU)) {
      Tensor[] batch = network.batch().toArray(Tensor[]::new);
      step.step(batch);
      step.step(batch);
    } finally {
      logger.removeHandler(found);
      logger.setLevel(before);
    }
    assertThat(found.operators).contains("Sqrt").hasSizeGreaterThan(10); // of Adam
    assertThat(CudaKernels.missing(found.operators)).isEmpty();
  }

  private static Sequential net(SplittableRandom random) {
    return new Sequential(
        new Linear(3, 4, random), new Tanh(), new Dropout(0.1f, random), new Linear(4, 1, random));
  }

  /// ONNX Runtime replaces the losses, which are functions of ONNX, by nodes with CUDA kernels.
  @Test
  void aProfileNamesTheNodesOfAStep() {
    Linear net = new Linear(3, 4, new SplittableRandom(1));
    NodeProfile profile =
        NodeProfile.of(
            () -> {
              for (Loss each : List.<Loss>of(Losses::nllLoss, Losses::crossEntropy)) {
                try (CompiledLoss loss = CompiledLoss.of(net, each, Device.CPU)) {
                  repeat(3, () -> loss.forward(Tensor.ones(2, 3), Tensor.ofLongs(0, 1)));
                }
              }
            });
    assertThat(profile.onCpu())
        .contains("Gemm", "GatherElements")
        .doesNotContain("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss");
    assertThat(profile.copies()).isZero();
  }

  @Test
  void onnxRuntimeRecognizesGelu() {
    Linear net = new Linear(4, 4, new SplittableRandom(1));
    net.requiresGrad(false);
    NodeProfile profile =
        NodeProfile.of(
            () -> {
              try (CompiledLoss loss =
                  CompiledLoss.ofAll(
                      net,
                      batch -> net.forward(batch.get(0)).gelu().geluTanh().sum(),
                      Device.CPU)) {
                repeat(3, () -> loss.forward(Tensor.ones(2, 4)));
              }
            });
    assertThat(profile.onCpu())
        .contains("FastGelu")
        .containsAnyOf("Gelu", "BiasGelu")
        .doesNotContain("Erf", "Tanh");
  }

  /// What a process holds.
  private record Held(long objects, long heap) {
    static Held now() {
      long heap = Long.MAX_VALUE;
      for (int time = 0; time < 3; time++) {
        System.gc();
        heap = Math.min(heap, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
      }
      return new Held(OrtApi.liveObjects(), heap);
    }
  }

  @Test
  void nothingGrowsWithTheNumberOfSteps() {
    SplittableRandom random = new SplittableRandom(1);
    Sequential net = net(random);
    Optimizer optimizer = new Adam(0.001).over(net.parameters());
    try (Compiled step = Compiled.of(net, Losses::mseLoss, optimizer, Device.CPU)) {
      assertNothingGrows(() -> step.step(Tensor.ones(2, 3), Tensor.ones(2, 1)).item());
    }
  }

  @Test
  void nothingGrowsWithTheNumberOfLosses() {
    SplittableRandom random = new SplittableRandom(1);
    Sequential net = net(random);
    Optimizer optimizer = new Adam(0.001).over(net.parameters());
    try (CompiledLoss loss = CompiledLoss.of(net, Losses::mseLoss, Device.CPU)) {
      assertNothingGrows(
          () -> {
            optimizer.zeroGrad();
            loss.forward(Tensor.ones(2, 3), Tensor.ones(2, 1)).backward();
            optimizer.step();
          });
    }
  }

  private static void assertNothingGrows(Runnable step) {
    long before = OrtApi.liveObjects();
    repeat(1_000, step);
    Held first = Held.now();
    repeat(10_000, step);
    Held last = Held.now();
    assertThat(first.objects()).isGreaterThan(before);
    assertThat(last.objects()).isEqualTo(first.objects());
    assertThat(last.heap() - first.heap()).isLessThan(1 << 20); // bytes
  }

  private static void repeat(int times, Runnable step) {
    for (int time = 0; time < times; time++) {
      step.run();
    }
  }

  @Test
  void closingFreesEverything() {
    stepsOfANewNet();
    long before = OrtApi.liveObjects();
    stepsOfANewNet();
    assertThat(OrtApi.liveObjects()).isEqualTo(before);
  }

  private static void stepsOfANewNet() {
    Sequential net = net(new SplittableRandom(1));
    Optimizer optimizer = new Adam(0.001).over(net.parameters());
    long before = OrtApi.liveObjects();
    try (Compiled step = Compiled.of(net, Losses::mseLoss, optimizer, Device.CPU)) {
      repeat(5, () -> step.step(Tensor.ones(2, 3), Tensor.ones(2, 1)));
      assertThat(OrtApi.liveObjects()).isGreaterThan(before);
    }
  }
}
