// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

/// A listener for the progress of a training. After the callbacks of PyTorch Lightning and Keras.
/// Called on the training thread, which waits for it; an exception stops the training.
public interface TrainerListener {
  /// Called when an epoch starts, or resumes after a checkpoint.
  ///
  /// @param number number of the epoch, from 1, including those before a checkpoint
  default void onEpochStart(long number) {}

  /// Called after each step.
  ///
  /// @param step number of the step, from 1
  /// @param loss loss of the step's batches before the step, over all copies. NaN if no target
  ///     counts; such a step changes no parameter
  default void onStep(long step, double loss) {}

  /// Called after each epoch and its validation.
  default void onEpoch(Epoch epoch) {}
}
