// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.gpt.Gpt;
import dev.tensorbus.models.gpt.GptOptions;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.optim.Compiled;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.verticles.worker.Startup;
import java.util.SplittableRandom;

/// Measures training steps run eagerly and as one graph in ONNX Runtime, on the CPU and, if ONNX
/// Runtime can use one, on a GPU.
public final class CompiledBench {
  private static final int WARMUP_STEPS = 5;
  private static final int STEPS = 20;
  private static final int BATCH = 32;
  private static final int CLASSES = 10;
  private static final int TOKENS = 65;
  private static final int PLACES = 64;

  private CompiledBench() {}

  /// Prints the figures for this JVM's number of threads.
  public static void main(String[] arguments) {
    Startup.begin();
    SplittableRandom random = new SplittableRandom(1);
    Tensor labels = whole(random, CLASSES, BATCH);
    MnistNet mnist = new MnistNet(random);
    measure("mnist", mnist, Losses::nllLoss, Tensor.randn(random, BATCH, 1, 28, 28), labels);
    ResNet resnet = new ResNet(ResNetOptions.resnet18(CLASSES).forSmallImages(), random);
    measure(
        "resnet18",
        resnet,
        Losses::crossEntropy,
        Tensor.randn(random, 8, 3, 32, 32),
        whole(random, CLASSES, 8));
    Gpt gpt = new Gpt(new GptOptions(TOKENS, PLACES, 128, 4, 4, 0), random);
    measure(
        "gpt",
        gpt,
        (scores, next) -> Losses.crossEntropy(scores.reshape(-1, TOKENS), next.reshape(-1)),
        whole(random, TOKENS, 8, PLACES),
        whole(random, TOKENS, 8, PLACES));
  }

  private static Tensor whole(SplittableRandom random, int end, int... sizes) {
    Tensor zeros = Tensor.zeros(sizes);
    return Tensor.of(zeros.shape(), random.longs(zeros.shape().elements(), 0, end).toArray());
  }

  private static <M extends Layer & Forward> void measure(
      String name, M model, Loss loss, Tensor x, Tensor wanted) {
    Optimizer optimizer = new Sgd(0.001).withMomentum(0.9).over(model.parameters());
    Times eager =
        Times.of(
            WARMUP_STEPS,
            STEPS,
            () -> {
              optimizer.zeroGrad();
              loss.forward(model.forward(x), wanted).backward();
              optimizer.step();
            });
    report(name + ".eager", eager);
    compiled(name + ".compiled", model, loss, optimizer, Device.CPU, x, wanted);
    if (Device.cuda(0).isAvailable()) {
      compiled(name + ".compiled.cuda", model, loss, optimizer, Device.cuda(0), x, wanted);
    }
  }

  private static <M extends Layer & Forward> void compiled(
      String name,
      M model,
      Loss loss,
      Optimizer optimizer,
      Device device,
      Tensor x,
      Tensor wanted) {
    try (Compiled compiled = Compiled.of(model, loss, optimizer, device)) {
      report(name, Times.of(WARMUP_STEPS, STEPS, () -> compiled.step(x, wanted)));
    }
  }

  private static void report(String name, Times times) {
    String figure = name + ".step" + KernelBenchmark.suffix();
    IO.println(new Figure(figure, times.median() * 1e3, "ms"));
  }
}
