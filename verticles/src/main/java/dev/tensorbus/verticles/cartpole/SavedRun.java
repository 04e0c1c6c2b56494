// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;

/// A run as a folder keeps it, where the options name one.
final class SavedRun {
  private final Checkpoint checkpoint;
  private final WorkerOptions options;

  /// Goes on with the run that the options name.
  ///
  /// @throws dev.tensorbus.optim.checkpoint.CheckpointException if it is damaged or another
  ///     program's
  SavedRun(Agent agent, RewardCurve curve, WorkerOptions options, Progress progress) {
    this.checkpoint = agent.addTo(new Checkpoint()).withProgress("episodes", curve);
    this.options = options;
    options
        .path(Setting.RESUME)
        .ifPresent(
            folder -> {
              checkpoint.restore(folder);
              progress.say("resuming %s after episode %d".formatted(folder, curve.episodes()));
            });
  }

  /// Keeps the run as it is now, if that is wanted.
  void save() {
    options.path(Setting.SAVE).ifPresent(checkpoint::save);
  }
}
