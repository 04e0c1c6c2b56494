// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataException;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.models.digits.Mnist;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.optim.training.metric.Accuracy;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/// The digits of a run, from a folder or generated. The sets are loaded on demand, because only one
/// worker of a world tests the model.
///
/// @param folder the folder of the MNIST files; empty for generated digits
/// @param seed the seed of generated digits
record Data(Optional<Path> folder, long seed) {
  private static final int DRAWN_TRAINING = 12_000;
  private static final int DRAWN_TEST = 2_000;
  private static final int TEST_BATCH = 1000;

  /// Returns the data selected by the options.
  static Data of(WorkerOptions options) {
    return new Data(options.data(), options.seed());
  }

  /// Checks the folder in the options, if any, without loading it.
  ///
  /// @throws UsageException if the folder does not contain the MNIST files
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

  /// Returns the training set.
  ///
  /// @throws UsageException if the folder does not contain its files
  Digits training() {
    return digits(Mnist.TRAIN, DRAWN_TRAINING, new SplittableRandom(seed).split());
  }

  /// Returns the test set.
  ///
  /// @throws UsageException if the folder does not contain its files
  Digits test() {
    SplittableRandom random = new SplittableRandom(seed);
    SplittableRandom _ = random.split(); // the generator of the training set
    return digits(Mnist.TEST, DRAWN_TEST, random.split());
  }

  private Digits digits(Mnist part, int drawn, SplittableRandom random) {
    try {
      return folder.map(part::read).orElseGet(() -> StrokeDigits.draw(drawn, random));
    } catch (DataException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
  }

  /// Describes the source, to complete "digits …".
  String source() {
    return folder.map(path -> "of " + path).orElse("generated here (--data DIR for MNIST)");
  }

  /// Reports the accuracy of a model.
  ///
  /// @param model computes log-probabilities `[n, 10]` of images `[n, 1, 28, 28]`
  static void evaluate(Digits digits, UnaryOperator<Tensor> model, Progress progress) {
    Accuracy accuracy = new Accuracy();
    for (Batch batch : DataLoader.of(digits, TEST_BATCH, Batch::of)) {
      accuracy.update(model.apply(batch.inputs()), batch.targets());
    }
    progress.scalar("accuracy", accuracy.compute());
    progress.say("test accuracy %.4f".formatted(accuracy.compute()));
  }
}
