// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

/// Listens to the progress of a training run. Its methods are called on the training thread, which
/// waits for them; an exception stops the training. Like the callbacks of PyTorch Lightning and
/// Keras.
public interface TrainerListener {
  /// Called when an epoch starts, or is resumed from a checkpoint.
  ///
  /// @param number number of the epoch, from 1; a resumed run continues the numbering
  default void onEpochStart(long number) {}

  /// Called after each step.
  ///
  /// @param step number of the step, from 1
  /// @param loss loss of the step's batches on all copies, computed before the step; NaN if no
  ///     target contributes to the loss, in which case the step changes no parameter
  default void onStep(long step, double loss) {}

  /// Called after each epoch and its validation.
  default void onEpoch(Epoch epoch) {}
}
