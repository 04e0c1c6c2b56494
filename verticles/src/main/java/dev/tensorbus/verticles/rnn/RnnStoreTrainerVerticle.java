// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.schedule.ExponentialLr;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.training.Epoch;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.optim.training.TrainerListener;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.StoreCheckpoints;
import dev.tensorbus.verticles.StoreTrainer;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.List;

/// A trainer of a world with parameter servers: trains its copy of the whole model on its part of
/// the text, and reports the result if no trainer of a lower rank is left.
final class RnnStoreTrainerVerticle extends StoreTrainer {
  private final WorkerOptions options;
  private final Progress progress;

  RnnStoreTrainerVerticle(WorkerOptions options, Progress progress) {
    super(options, progress);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    Corpus corpus = Corpus.of(options);
    Hyperparameters settings = Hyperparameters.of(options);
    int tokens = corpus.vocabulary().size();
    LocalRnnModel model = new LocalRnnModel(tokens, settings, options.seed());
    StoreCheckpoints checkpoints = StoreCheckpoints.of(options);
    checkpoints.weights().ifPresent(model.checkpoint()::restoreModel);
    TokenBatches share = corpus.batches(corpus.share(index(rpc), trainers()), settings);
    if (index(rpc) == 0) {
      progress.say(
          "learning from %d %s, %d distinct"
              .formatted(corpus.training().length, corpus.source(), tokens));
    }
    Sgd optimizer = new Sgd(settings.learningRate());
    StoreStep step = new StoreStep(model);
    boolean evaluates =
        train(
            rpc,
            () -> ParameterStore.join(rpc, model, optimizer, ServerSettings.store(options)),
            store -> {
              Trainer<TokenBatch> trainer =
                  Trainer.of(store, step)
                      .withClipping(Clipping.byNorm(settings.clip()))
                      .withSchedule(new ExponentialLr(settings.decay()))
                      .withListener(step)
                      .withListener(new Reports(rpc, corpus, model));
              prepare(trainer, store, checkpoints);
              trainer.fit(DataLoader.of(share, 1, List<TokenBatch>::getFirst), settings.epochs());
            });
    if (evaluates) {
      report(new RnnEvaluation(model), corpus, settings);
    }
  }

  private void report(RnnEvaluation evaluation, Corpus corpus, Hyperparameters settings) {
    TokenBatches heldOut = corpus.batches(corpus.test(), settings);
    evaluation.report(
        evaluation.perplexity(heldOut, settings.batchSize()), corpus, options, progress);
  }

  /// Reports the perplexity, and saves the model, after each epoch of the first trainer.
  private final class Reports implements TrainerListener {
    private final Rpc rpc;
    private final LocalRnnModel model;
    private final Hyperparameters settings;
    private final TokenBatches heldOut;

    private Reports(Rpc rpc, Corpus corpus, LocalRnnModel model) {
      this.rpc = rpc;
      this.model = model;
      settings = Hyperparameters.of(options);
      heldOut = corpus.batches(corpus.test(), settings);
    }

    @Override
    public void onEpoch(Epoch epoch) {
      if (isFirst(rpc)) {
        double perplexity = new RnnEvaluation(model).perplexity(heldOut, settings.batchSize());
        progress.scalar("perplexity", perplexity);
        progress.say(
            "epoch %d/%d  training perplexity %.2f, held out %.2f"
                .formatted(epoch.number(), settings.epochs(), Math.exp(epoch.loss()), perplexity));
        options.path(Setting.SAVE).ifPresent(model.checkpoint()::save);
      }
    }
  }
}
