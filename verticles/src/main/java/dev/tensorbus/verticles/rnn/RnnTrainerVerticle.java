// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;

/// Rank 1: creates the model, trains it and reports the result.
final class RnnTrainerVerticle extends RpcWorker {
  private final WorkerOptions options;
  private final Progress progress;

  RnnTrainerVerticle(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    Corpus corpus = Corpus.of(options);
    Hyperparameters settings = Hyperparameters.of(options);
    int tokens = corpus.vocabulary().size();
    String server = Role.PARAMETER_SERVER.label();
    progress.say(
        "learning from %d %s, %d distinct"
            .formatted(corpus.training().length, corpus.source(), tokens));
    try (RnnModel model = new RnnModel(rpc, server, tokens, settings, options.seed())) {
      RnnTraining training = new RnnTraining(rpc, model, settings);
      RnnEvaluation evaluation = new RnnEvaluation(model);
      double perplexity = new Run(options, corpus, progress).train(training, evaluation);
      evaluation.report(perplexity, corpus, options, progress);
    }
  }
}
