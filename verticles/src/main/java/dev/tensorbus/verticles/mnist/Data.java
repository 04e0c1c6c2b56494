// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.Batches;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.Digits;
import dev.tensorbus.models.data.Mnist;
import dev.tensorbus.models.data.StrokeDigits;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/// The digits of a run.
///
/// @param training the digits to learn from
/// @param test others, to see what was learned
/// @param source where they come from, as people say it after "digits"
record Data(Digits training, Digits test, String source) {
  private static final int DRAWN_TRAINING = 12_000;
  private static final int DRAWN_TEST = 2_000;
  private static final int TEST_BATCH = 1000;

  /// The digits of the folder that the options name, or drawn ones.
  ///
  /// @throws UsageException if the folder does not hold MNIST
  static Data of(WorkerOptions options) {
    Optional<Path> folder = options.data();
    try {
      return folder.isPresent() ? read(folder.get()) : drawn(options.seed());
    } catch (DataException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
  }

  /// Checks the folder that the options name, if they name one, without loading it.
  ///
  /// @throws UsageException if the folder does not hold MNIST
  static void check(WorkerOptions options) {
    try {
      options.data().ifPresent(Data::check);
    } catch (DataException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
  }

  private static void check(Path folder) {
    Mnist.TRAIN.check(folder);
    Mnist.TEST.check(folder);
  }

  private static Data read(Path folder) {
    Digits training = Mnist.TRAIN.read(folder);
    Digits test = Mnist.TEST.read(folder);
    return new Data(training, test, "of " + folder);
  }

  private static Data drawn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new Data(
        StrokeDigits.draw(DRAWN_TRAINING, random.split()),
        StrokeDigits.draw(DRAWN_TEST, random.split()),
        "that it draws itself (--data DIR for MNIST's)");
  }

  /// The share of the test digits that a model names rightly.
  ///
  /// @param model gives log-probabilities `[n, 10]` of images `[n, 1, 28, 28]`
  double accuracy(UnaryOperator<Tensor> model) {
    int correct = 0;
    for (Batch batch : Batches.inOrder(test, TEST_BATCH)) {
      long[] predicted = model.apply(batch.inputs()).argmax(1).longs();
      for (int index = 0; index < predicted.length; index++) {
        correct += predicted[index] == batch.labels()[index] ? 1 : 0;
      }
    }
    return (double) correct / test.size();
  }
}
