// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;

/// Saves and resumes a run, if the options name folders for it.
final class SavedRun {
  private final Checkpoint checkpoint;
  private final WorkerOptions options;

  /// Resumes the run that the options name, if any.
  ///
  /// @throws dev.tensorbus.optim.checkpoint.CheckpointException if the saved run is damaged or
  ///     belongs to another program
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

  /// Saves the run, if the options name a folder.
  void save() {
    options.path(Setting.SAVE).ifPresent(checkpoint::save);
  }
}
