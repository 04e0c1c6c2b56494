// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

/// Is told how a training goes on. After the callbacks of PyTorch Lightning and Keras. It runs on
/// the training's thread, which waits for it; an exception ends the training.
public interface TrainerListener {
  /// An epoch begins, or goes on after a checkpoint.
  ///
  /// @param number from 1 on, those before a checkpoint included
  default void onEpochStart(long number) {}

  /// A step was taken.
  ///
  /// @param step its number, from 1 on
  /// @param loss of its batches, before the step; of all copies' batches where there are copies.
  ///     NaN if no value of them counts: such a step changes no parameter
  default void onStep(long step, double loss) {}

  /// An epoch is over, and its validation too.
  default void onEpoch(Epoch epoch) {}
}
