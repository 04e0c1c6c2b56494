// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.LstmTagger;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.gpt.Gpt;
import dev.tensorbus.models.gpt.GptOptions;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.loss.Loss;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/// A network with a batch of random values, to be trained.
record TrainedNetwork(
    String name, Layer model, Function<List<Tensor>, Tensor> loss, List<Tensor> batch) {
  private static final int CLASSES = 10;

  /// Returns a convolutional, a residual, a transformer and a recurrent network.
  static Stream<TrainedNetwork> all() {
    SplittableRandom random = new SplittableRandom(1);
    return Stream.of(mnist(random), resnet(random), gpt(random), lstm(random));
  }

  private static TrainedNetwork mnist(SplittableRandom random) {
    Tensor images = Tensor.randn(random, 32, 1, 28, 28);
    return of("mnist", new MnistNet(random), Losses::nllLoss, images, whole(random, CLASSES, 32));
  }

  private static TrainedNetwork resnet(SplittableRandom random) {
    ResNet net = new ResNet(ResNetOptions.resnet18(CLASSES).forSmallImages(), random);
    Tensor images = Tensor.randn(random, 8, 3, 32, 32);
    return of("resnet18", net, Losses::crossEntropy, images, whole(random, CLASSES, 8));
  }

  private static TrainedNetwork gpt(SplittableRandom random) {
    int tokens = 65;
    Gpt net = new Gpt(new GptOptions(tokens, 64, 128, 4, 4, 0), random);
    Loss loss = (scores, next) -> Losses.crossEntropy(scores.reshape(-1, tokens), next.reshape(-1));
    return of("gpt", net, loss, whole(random, tokens, 8, 64), whole(random, tokens, 8, 64));
  }

  private static TrainedNetwork lstm(SplittableRandom random) {
    LstmTagger net = new LstmTagger(1000, 64, 128, CLASSES, random);
    Loss loss = (scores, tags) -> Losses.nllLoss(scores.reshape(-1, CLASSES), tags.reshape(-1));
    return of("lstm", net, loss, whole(random, 1000, 20, 32), whole(random, CLASSES, 20, 32));
  }

  /// Returns a network whose batch has two tensors: the input, and what the loss compares with.
  static <M extends Layer & Forward> TrainedNetwork of(
      String name, M model, Loss loss, Tensor x, Tensor wanted) {
    return new TrainedNetwork(
        name,
        model,
        batch -> loss.forward(model.forward(batch.get(0)), batch.get(1)),
        List.of(x, wanted));
  }

  /// Returns random integers from 0 to `end - 1`.
  static Tensor whole(SplittableRandom random, int end, int... sizes) {
    Tensor zeros = Tensor.zeros(sizes);
    return Tensor.of(zeros.shape(), random.longs(zeros.shape().elements(), 0, end).toArray());
  }
}
