// SPDX-License-Identifier: Apache-2.0
package resume;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import java.nio.file.Path;
import java.util.Random;

/// Every worker trains a copy of the network on its share of the digits. If a worker is killed, all
/// are started again and continue from the newest checkpoint.
public final class Copies {
  public static void main(String[] args) {
    Rpc.run(rpc -> train(rpc, new Checkpoints(Path.of(args[0]), 2)));
  }

  private static void train(Rpc rpc, Checkpoints checkpoints) {
    var random = new Random(1);
    var network =
        new Sequential(
            new Flatten(), new Linear(784, 64, random), new Relu(), new Linear(64, 10, random));
    var digits =
        DataLoader.of(StrokeDigits.draw(8000, new Random(1)), 32, Batch::of)
            .shuffled(1)
            .shard(rpc.self().id(), rpc.worldSize());
    var copy = DistributedDataParallel.of(rpc, network);
    var trainer =
        Trainer.of(copy, new Adam(0.001), new CrossEntropyLoss()).withCheckpoints(checkpoints, 50);
    String start = trainer.resume() ? "an earlier run continues" : "a new run starts";
    System.out.println(start + " in process " + ProcessHandle.current().pid());
    trainer.fit(digits, 4);
  }
}
