// SPDX-License-Identifier: Apache-2.0
package resnet;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.optim.training.metric.Accuracy;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Trains a ResNet-18 on digits in the format of CIFAR: 32 x 32 pixels in three colours. Every
/// worker has a copy, and each step averages the gradients of all copies. The copies start with the
/// weights of the first file. Those of the last layer are not used, so that the file may be from a
/// network with a different number of classes. The result is saved in the second file.
public final class Digits {
  public static void main(String[] args) {
    Rpc.run(rpc -> train(rpc, Path.of(args[0]), Path.of(args[1])));
  }

  private static void train(Rpc rpc, Path trained, Path tuned) {
    var net = new ResNet(ResNetOptions.resnet18(10).forSmallImages(), new Random(1));
    net.loadMatching(StateDict.read(trained).select(name -> !name.startsWith("fc.")));
    var training =
        DataLoader.of(StrokeDigits.draw(800, new Random(1)), 20, Digits::coloured)
            .shuffled(1)
            .shard(rpc.self().id(), rpc.worldSize());
    var test = DataLoader.of(StrokeDigits.draw(200, new Random(2)), 50, Digits::coloured);
    var copies = DistributedDataParallel.of(rpc, net);
    Trainer.of(copies, new Adam(0.001), new CrossEntropyLoss())
        .withMetric(new Accuracy())
        .fit(training, test, 1); // logs the progress
    if (copies.isFirst()) {
      net.state().save(tuned); // for docs/torch/from_safetensors.py
    }
  }

  /// Converts grey examples `[1, 28, 28]` to a batch of colour images `[n, 3, 32, 32]`.
  private static Batch coloured(List<Example> examples) {
    Batch grey = Batch.of(examples);
    Tensor framed = grey.inputs().pad(2, 2, 2, 0).pad(3, 2, 2, 0);
    return new Batch(framed.expand(grey.size(), 3, 32, 32), grey.targets());
  }
}
