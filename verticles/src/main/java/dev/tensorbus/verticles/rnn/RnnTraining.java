// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import static dev.tensorbus.autograd.Losses.crossEntropy;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.distributions.Categorical;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.models.text.TokenBatches;
import dev.tensorbus.models.text.Vocabulary;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.optim.schedule.ExponentialLr;
import dev.tensorbus.optim.schedule.Scheduler;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.autograd.DistContext;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/// Trains a model of two workers: the loop of PyTorch's tutorial.
public final class RnnTraining {
  private final Rpc rpc;
  private final RnnModel model;
  private final Hyperparameters settings;
  private final DistributedOptimizer optimizer;
  private final Scheduler scheduler;

  /// Sees to it that every owner of parameters can step. Blocks.
  public RnnTraining(Rpc rpc, RnnModel model, Hyperparameters settings) {
    this.rpc = rpc;
    this.model = model;
    this.settings = settings;
    this.optimizer =
        DistributedOptimizer.create(rpc, new Sgd(settings.learningRate()), model.parameterRrefs());
    this.scheduler = new ExponentialLr(settings.decay()).over(optimizer.groups());
  }

  /// How many epochs are over.
  int epoch() {
    return (int) scheduler.epoch();
  }

  /// How far a step goes in this epoch.
  double learningRate() {
    return optimizer.groups().getFirst().learningRate();
  }

  /// Ends an epoch.
  void endEpoch() {
    scheduler.step();
  }

  /// All that is needed to go on from here.
  Checkpoint checkpoint() {
    return model
        .addTo(new Checkpoint())
        .withOptimizer("sgd", optimizer)
        .withProgress("epochs", scheduler);
  }

  /// The state before the first word.
  public Lstm.State initHidden() {
    return initHidden(settings.batchSize());
  }

  private Lstm.State initHidden(int places) {
    int[] shape = {settings.layers(), places, settings.hidden()};
    return new Lstm.State(Tensor.zeros(shape), Tensor.zeros(shape));
  }

  /// Learns from a whole text.
  ///
  /// @param step told of each batch and its loss
  /// @return the perplexity on the way
  double train(TokenBatches batches, BiConsumer<TokenBatch, Float> step) {
    Lstm.State hidden = initHidden();
    double sum = 0;
    for (TokenBatch batch : batches) {
      Step done = step(batch, hidden);
      hidden = done.hidden();
      sum += (double) done.loss() * batch.size();
      step.accept(batch, done.loss());
    }
    return Math.exp(sum / batches.words());
  }

  /// What a step gives.
  ///
  /// @param hidden the LSTM's state after it
  public record Step(float loss, Lstm.State hidden) {}

  /// Learns from one batch, starting from a state that an earlier one has left.
  public Step step(TokenBatch batch, Lstm.State hidden) {
    try (var context = DistAutograd.context(rpc)) {
      RnnModel.Output output = model.forward(batch.inputs(), hidden.detach());
      output.decoded().retainGrad();
      Tensor loss = loss(output, batch);
      context.backward(loss);
      RnnModel.free(output.decoded());
      step(context);
      return new Step(loss.item(), output.hidden());
    } // this pass's gradients are released on every worker
  }

  /// To clip by the norm of all gradients takes a round trip more.
  private void step(DistContext context) {
    if (Double.isInfinite(settings.clip())) {
      optimizer.step(context);
    } else {
      optimizer.step(context, Clipping.byNorm(settings.clip()));
    }
  }

  private static Tensor loss(RnnModel.Output output, TokenBatch batch) {
    Tensor decoded = output.decoded();
    return crossEntropy(decoded.reshape(-1, decoded.shape().size(-1)), batch.labels());
  }

  /// The perplexity of a text that nothing is learned from: among how many equally likely words
  /// the model seems to choose.
  double perplexity(TokenBatches batches) {
    model.eval();
    double sum = 0;
    Lstm.State hidden = initHidden();
    for (TokenBatch batch : batches) {
      Lstm.State before = hidden;
      RnnModel.Output output = NoGrad.call(() -> model.forward(batch.inputs(), before));
      sum += NoGrad.call(() -> loss(output, batch)).itemDouble() * batch.size();
      hidden = output.hidden();
    }
    model.train();
    return Math.exp(sum / batches.words());
  }

  /// Writes so many words as the model would.
  String sample(Vocabulary vocabulary, int words, RandomGenerator random) {
    model.eval();
    Lstm.State hidden = initHidden(1);
    StringBuilder text = new StringBuilder();
    int word = vocabulary.number(Vocabulary.END);
    for (int i = 0; i < words; i++) {
      Tensor input = Tensor.ofLongs(word).unsqueeze(0);
      Lstm.State before = hidden;
      RnnModel.Output output = NoGrad.call(() -> model.forward(input, before));
      hidden = output.hidden();
      word = (int) Categorical.ofLogits(output.decoded().flatten(0)).sample(random).longs()[0];
      text.append(i == 0 ? "" : " ").append(vocabulary.word(word));
    }
    model.train();
    return text.toString();
  }
}
