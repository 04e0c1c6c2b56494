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
import dev.tensorbus.optim.training.metric.Accuracy;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Trains a network, and continues an earlier run that was killed.
public final class Resume {
  public static void main(String[] args) {
    var random = new Random(1);
    var network =
        new Sequential(
            new Flatten(), new Linear(784, 64, random), new Relu(), new Linear(64, 10, random));
    var digits = StrokeDigits.draw(8000, new Random(1));
    var test = Batch.of(StrokeDigits.draw(1000, new Random(2)));
    var trainer =
        Trainer.of(network, new Adam(0.001), new CrossEntropyLoss())
            .withMetric(new Accuracy())
            .withCheckpoints(new Checkpoints(Path.of(args[0]), 2), 100); // and every 100 steps
    System.out.println(trainer.resume() ? "an earlier run continues" : "a new run starts");
    trainer.fit(DataLoader.of(digits, 32, Batch::of).shuffled(1), List.of(test), 4);
  }
}
