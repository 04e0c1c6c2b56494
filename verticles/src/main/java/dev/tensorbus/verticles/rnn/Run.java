// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.nio.file.Path;
import java.util.Optional;

/// The epochs of a run, from the one that the options say.
final class Run {
  private final Corpus corpus;
  private final RnnModel model;
  private final Progress progress;
  private final Hyperparameters settings;
  private final Optional<Path> saveTo;
  private final int firstEpoch;

  /// Begins anew, or where the run ended that the options want resumed.
  ///
  /// @throws UsageException if that was of another model
  Run(WorkerOptions options, Corpus corpus, RnnModel model, Progress progress) {
    this.corpus = corpus;
    this.model = model;
    this.progress = progress;
    this.settings = Hyperparameters.of(options);
    this.saveTo = options.path(RnnProgram.SAVE);
    this.firstEpoch = options.path(RnnProgram.RESUME).map(this::resume).orElse(0);
  }

  private int resume(Path file) {
    Checkpoint checkpoint = Checkpoint.read(file);
    try {
      model.load(checkpoint.model());
    } catch (RuntimeException e) {
      throw new UsageException(
          "--resume %s: %s; give the --data and sizes of that run".formatted(file, e.getMessage()));
    }
    progress.say("resuming %s after epoch %d".formatted(file, checkpoint.epochs()));
    return checkpoint.epochs();
  }

  /// Goes through all epochs that are left and gives the perplexity on the held-out text.
  double train(RnnTraining training) {
    TokenBatches batches = corpus.batches(corpus.training(), settings);
    TokenBatches heldOut = corpus.batches(corpus.test(), settings);
    progress.start((long) Math.max(0, settings.epochs() - firstEpoch) * batches.count());
    double perplexity = Double.NaN;
    for (int epoch = firstEpoch; epoch < settings.epochs(); epoch++) {
      double rate = settings.learningRate() * Math.pow(settings.decay(), epoch);
      training.setLearningRate(rate);
      double trained = training.train(batches, (batch, loss) -> progress.step(batch.size(), loss));
      perplexity = training.perplexity(heldOut);
      progress.say(
          "epoch %d/%d  learning rate %.4g  perplexity in training %.2f, held out %.2f"
              .formatted(epoch + 1, settings.epochs(), rate, trained, perplexity));
      save(epoch + 1);
    }
    return Double.isNaN(perplexity) ? training.perplexity(heldOut) : perplexity;
  }

  private void save(int epochs) {
    saveTo.ifPresent(file -> new Checkpoint(model.state(), epochs).save(file));
  }
}
