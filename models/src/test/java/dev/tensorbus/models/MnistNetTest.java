// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.functional.Losses;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MnistNetTest {
  private final SplittableRandom random = new SplittableRandom(Long.getLong("seed", 1));
  private final MnistNet net = new MnistNet(random);

  @Test
  void parametersHaveTorchsNamesAndShapes() {
    List<String> parameters = new ArrayList<>();
    net.namedParameters()
        .forEach((name, parameter) -> parameters.add(name + " " + parameter.shape()));
    assertThat(parameters)
        .containsExactly(
            "conv1.weight [32, 1, 3, 3]",
            "conv1.bias [32]",
            "conv2.weight [64, 32, 3, 3]",
            "conv2.bias [64]",
            "fc1.weight [128, 9216]",
            "fc1.bias [128]",
            "fc2.weight [10, 128]",
            "fc2.bias [10]");
  }

  @Test
  void learnsToReadStrokeDigits() {
    var training =
        DataLoader.of(StrokeDigits.draw(2000, random.split()), 32, Batch::of)
            .shuffled(random.nextLong());
    Digits heldOut = StrokeDigits.draw(500, random.split());
    for (int pass = 0; pass < 2; pass++) {
      training.forEach(this::step);
    }
    net.eval();
    assertThat(accuracy(heldOut))
        .as("accuracy, seed %s", Long.getLong("seed", 1))
        .isGreaterThan(0.85);
  }

  private void step(Batch batch) {
    Losses.nllLoss(net.forward(batch.inputs()), batch.targets()).backward();
    for (Tensor parameter : net.parameters()) {
      float[] gradient = Objects.requireNonNull(parameter.grad()).values();
      parameter.update(values -> descended(values, gradient));
      parameter.zeroGrad();
    }
  }

  private static float[] descended(float[] values, float[] gradient) {
    float[] next = new float[values.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = values[i] - 0.03f * gradient[i];
    }
    return next;
  }

  private double accuracy(Digits digits) {
    int right = 0;
    for (Batch batch : DataLoader.of(digits, 100, Batch::of)) {
      float[] scores = NoGrad.call(() -> net.forward(batch.inputs())).values();
      for (int i = 0; i < batch.size(); i++) {
        right += likeliest(scores, i) == batch.targets().longs()[i] ? 1 : 0;
      }
    }
    return right / (double) digits.size();
  }

  private static int likeliest(float[] scores, int row) {
    int best = 0;
    for (int digit = 1; digit < 10; digit++) {
      best = scores[row * 10 + digit] > scores[row * 10 + best] ? digit : best;
    }
    return best;
  }
}
