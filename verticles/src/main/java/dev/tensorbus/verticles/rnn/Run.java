// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;

/// Runs the epochs of a training, or the remaining ones of a resumed training.
///
/// @param corpus the texts
/// @param progress receives the progress
record Run(WorkerOptions options, Corpus corpus, Progress progress) {
  /// Runs the remaining epochs and returns the perplexity on the held-out text.
  ///
  /// @throws dev.tensorbus.optim.checkpoint.CheckpointException if the resumed run trained a
  ///     different model
  double train(RnnTraining training, RnnEvaluation evaluation) {
    resume(training);
    Hyperparameters settings = Hyperparameters.of(options);
    TokenBatches batches = corpus.batches(corpus.training(), settings);
    TokenBatches heldOut = corpus.batches(corpus.test(), settings);
    int left = Math.max(0, settings.epochs() - training.epoch());
    progress.start((long) left * batches.size());
    int places = settings.batchSize();
    double perplexity = left == 0 ? evaluation.perplexity(heldOut, places) : Double.NaN;
    while (training.epoch() < settings.epochs()) {
      double trained = training.train(batches, (batch, loss) -> progress.step(batch.size(), loss));
      perplexity = evaluation.perplexity(heldOut, places);
      progress.scalar("perplexity", perplexity);
      progress.say(
          "epoch %d/%d  learning rate %.4g  training perplexity %.2f, held out %.2f"
              .formatted(
                  training.epoch() + 1,
                  settings.epochs(),
                  training.learningRate(),
                  trained,
                  perplexity));
      training.endEpoch();
      options.path(Setting.SAVE).ifPresent(training.checkpoint()::save);
    }
    return perplexity;
  }

  private void resume(RnnTraining training) {
    options
        .path(Setting.RESUME)
        .ifPresent(
            folder -> {
              training.checkpoint().restore(folder);
              progress.say("resuming %s after epoch %d".formatted(folder, training.epoch()));
            });
  }
}
