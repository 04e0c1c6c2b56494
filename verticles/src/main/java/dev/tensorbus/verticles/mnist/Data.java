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
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/// The digits of a run: those of a folder, or drawn ones. Each set is made where it is asked for,
/// since one worker of a world tests the model and all others do not.
///
/// @param folder where MNIST's files lie; empty for digits that are drawn
/// @param seed of drawn ones
record Data(Optional<Path> folder, long seed) {
  private static final int DRAWN_TRAINING = 12_000;
  private static final int DRAWN_TEST = 2_000;
  private static final int TEST_BATCH = 1000;

  /// The digits that the options name.
  static Data of(WorkerOptions options) {
    return new Data(options.data(), options.seed());
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

  /// The digits to learn from.
  ///
  /// @throws UsageException if the folder does not hold them
  Digits training() {
    return digits(Mnist.TRAIN, DRAWN_TRAINING, new SplittableRandom(seed).split());
  }

  /// Others, to see what was learned.
  ///
  /// @throws UsageException if the folder does not hold them
  Digits test() {
    SplittableRandom random = new SplittableRandom(seed);
    SplittableRandom _ = random.split(); // draws those to learn from
    return digits(Mnist.TEST, DRAWN_TEST, random.split());
  }

  private Digits digits(Mnist part, int drawn, SplittableRandom random) {
    try {
      return folder.map(part::read).orElseGet(() -> StrokeDigits.draw(drawn, random));
    } catch (DataException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
  }

  /// Where they come from, as people say it after "digits".
  String source() {
    return folder.map(path -> "of " + path).orElse("that it draws itself (--data DIR for MNIST's)");
  }

  /// Tells the share of digits that a model names rightly.
  ///
  /// @param model gives log-probabilities `[n, 10]` of images `[n, 1, 28, 28]`
  static void evaluate(Digits digits, UnaryOperator<Tensor> model, Progress progress) {
    Accuracy accuracy = new Accuracy();
    for (Batch batch : DataLoader.of(digits, TEST_BATCH, Batch::of)) {
      accuracy.update(model.apply(batch.inputs()), batch.targets());
    }
    progress.scalar("accuracy", accuracy.compute());
    progress.say("test accuracy %.4f".formatted(accuracy.compute()));
  }
}
