// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.OnnxExport;
import dev.tensorbus.autograd.onnx.OnnxModel;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// The program of docs/onnx-models.md.
final class TrainOnnxModel {
  private TrainOnnxModel() {}

  public static void main(String... files) {
    Rpc.run(rpc -> train(rpc, Path.of(files[0]), Path.of(files[1])));
  }

  static void train(Rpc rpc, Path given, Path tuned) {
    OnnxModel features = OnnxModel.load(given, "/Flatten_output_0"); // without its last layer
    features.requiresGrad(false); // frozen
    var net = new Sequential(features, new Linear(16, 2, new Random(1)));
    var copies = DistributedDataParallel.of(rpc, net);
    var batches =
        DataLoader.of(Dataset.of(examples()), 4, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id(), rpc.worldSize());
    Trainer.of(copies, new Adam(0.05), new CrossEntropyLoss()).fit(batches, 10);
    if (copies.isFirst()) {
      net.eval();
      Tensor example = Tensor.zeros(1, 3, 32, 32);
      OnnxExport.of(net, net::forward).withDynamicBatch(0).save(tuned, example);
    }
  }

  /// Noise of two kinds, in place of pictures of two kinds.
  static List<Example> examples() {
    var random = new Random(2);
    return IntStream.range(0, 16)
        .mapToObj(
            i -> new Example(Tensor.randn(random, 3, 32, 32).scale(i % 2 == 0 ? 0.2 : 3), i % 2))
        .toList();
  }
}
