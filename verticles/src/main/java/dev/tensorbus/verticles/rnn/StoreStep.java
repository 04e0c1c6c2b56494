// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.optim.training.TrainerListener;
import dev.tensorbus.optim.training.TrainingStep;

/// Computes the losses of the batches of a text, each from the state after the previous one.
final class StoreStep implements TrainingStep<TokenBatch>, TrainerListener {
  private final RecurrentModel model;
  private final int texts;
  private Lstm.State hidden;

  /// @param texts the number of text segments that are read in parallel
  StoreStep(RecurrentModel model, int texts) {
    this.model = model;
    this.texts = texts;
    this.hidden = model.initHidden(texts);
  }

  @Override
  public void onEpochStart(long number) {
    hidden = model.initHidden(texts);
  }

  @Override
  public Tensor loss(TokenBatch batch) {
    RnnModel.Output output = model.forward(batch.inputs(), hidden.detach());
    hidden = output.hidden();
    return batch.loss(output.decoded());
  }

  @Override
  public int size(TokenBatch batch) {
    return batch.size();
  }
}
