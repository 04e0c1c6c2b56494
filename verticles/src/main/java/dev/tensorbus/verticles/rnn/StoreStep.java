// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.text.TokenBatch;
import dev.tensorbus.optim.training.TrainerListener;
import dev.tensorbus.optim.training.TrainingStep;

/// Computes the losses of the batches of a text, each from the state after the previous one.
record StoreStep(LocalRnnModel model) implements TrainingStep<TokenBatch>, TrainerListener {
  @Override
  public void onEpochStart(long number) {
    model.reset();
  }

  @Override
  public Tensor loss(TokenBatch batch) {
    return batch.loss(model.next(batch.inputs()));
  }

  @Override
  public int size(TokenBatch batch) {
    return batch.size();
  }
}
