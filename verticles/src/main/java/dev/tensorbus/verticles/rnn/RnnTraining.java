// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.optim.schedule.ExponentialLr;
import dev.tensorbus.optim.schedule.Scheduler;
import dev.tensorbus.optim.training.metric.Perplexity;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import java.util.function.BiConsumer;

/// Trains a model on two workers, like the training loop of PyTorch's tutorial.
public final class RnnTraining {
  private final Rpc rpc;
  private final RnnModel model;
  private final Hyperparameters hyperparameters;
  private final DistributedOptimizer optimizer;
  private final Scheduler scheduler;

  /// Creates an optimizer on every worker that owns parameters. Blocks.
  public RnnTraining(Rpc rpc, RnnModel model, Hyperparameters hyperparameters) {
    this.rpc = rpc;
    this.model = model;
    this.hyperparameters = hyperparameters;
    this.optimizer =
        DistributedOptimizer.create(
            rpc, new Sgd(hyperparameters.learningRate()), model.parameterRrefs());
    this.scheduler = new ExponentialLr(hyperparameters.decay()).over(optimizer.groups());
  }

  /// Returns the LSTM's initial state.
  public Lstm.State initHidden() {
    return model.initHidden(hyperparameters.batchSize());
  }

  /// Trains on a text for one epoch.
  ///
  /// @param listener receives each batch and its loss
  /// @return the perplexity during the training
  double train(TokenBatches batches, BiConsumer<TokenBatch, Float> listener) {
    Lstm.State hidden = initHidden();
    Perplexity perplexity = new Perplexity();
    for (TokenBatch batch : batches) {
      Step step = step(batch, hidden);
      hidden = step.hidden();
      perplexity.add(step.loss(), batch.size());
      listener.accept(batch, step.loss());
    }
    return perplexity.compute();
  }

  /// The result of a step.
  ///
  /// @param hidden the LSTM's state after the step
  public record Step(float loss, Lstm.State hidden) {}

  /// Trains on one batch, starting from the state of the previous step.
  public Step step(TokenBatch batch, Lstm.State hidden) {
    return rpc.span("step", () -> learn(batch, hidden));
  }

  private Step learn(TokenBatch batch, Lstm.State hidden) {
    try (var context = DistAutograd.context(rpc)) {
      RnnModel.Output output = model.forward(batch.inputs(), hidden.detach());
      Tensor loss = batch.loss(output.decoded());
      context.backward(loss);
      optimizer.step(context, Clipping.byNorm(hyperparameters.clip()));
      return new Step(loss.item(), output.hidden());
    } // close() releases the gradients of this pass on every worker
  }

  /// Returns the number of completed epochs.
  int epoch() {
    return (int) scheduler.epoch();
  }

  /// Returns the current learning rate.
  double learningRate() {
    return optimizer.groups().getFirst().learningRate();
  }

  /// Called at the end of an epoch; updates the learning rate.
  void endEpoch() {
    scheduler.step();
  }

  /// Returns a checkpoint with everything needed to resume the training.
  Checkpoint checkpoint() {
    return model
        .addTo(new Checkpoint())
        .withOptimizer("sgd", optimizer)
        .withProgress("epochs", scheduler);
  }
}
