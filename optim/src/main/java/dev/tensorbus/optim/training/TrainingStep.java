// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Records;
import dev.tensorbus.nn.loss.LossReduction;

/// Computes the loss of a batch, whatever the batch contains: several inputs, masks, lengths, pairs
/// of examples. Like `training_step` and `validation_step` of PyTorch Lightning's
/// `LightningModule`.
///
/// ```java
/// record Pairs(Tensor left, Tensor right, Tensor isSame) {}
///
/// var trainer =
///     Trainer.of(net, new Adam(0.001), (Pairs batch) ->
///         Losses.bceWithLogits(net.forward(batch.left(), batch.right()), batch.isSame()));
/// ```
///
/// @param <B> type of a batch
@FunctionalInterface
public interface TrainingStep<B> {
  /// Returns the loss of a batch, as a scalar. The trainer runs the backward pass.
  Tensor loss(B batch);

  /// Returns the loss of a validation batch and updates the trainer's metrics, if there are any.
  /// Called in evaluation mode. The default updates no metric.
  default Tensor validationLoss(B batch) {
    return loss(batch);
  }

  /// Returns the number of examples in a batch. The default is the first size of the tensors in the
  /// batch, which must be a record of tensors.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if the first sizes differ; override this method
  ///     for such batches
  default int size(B batch) {
    return Records.size(batch);
  }

  /// Returns the divisor of the mean that [#loss] computes, by which batches are weighted when
  /// their losses are combined. It is 0 if the batch has no target that counts; the batch is then
  /// skipped. The default is [#size].
  default double weight(B batch) {
    return size(batch);
  }

  /// Returns how losses of examples are combined: a sum is added to those of other batches, and
  /// anything else is averaged by [#weight]. The default is the mean.
  default LossReduction reduction() {
    return LossReduction.MEAN;
  }
}
