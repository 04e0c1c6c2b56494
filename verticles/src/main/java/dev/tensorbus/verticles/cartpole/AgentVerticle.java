// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import java.nio.file.Path;

/// Rank 0: runs episodes on the observers and trains the policy until the task is solved.
final class AgentVerticle extends RpcWorker {
  private final WorkerOptions options;
  private final Progress progress;

  AgentVerticle(WorkerOptions options, Progress progress) {
    super(Role.AGENT, options);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    try (CartPoleTraining training = new CartPoleTraining(rpc, options, progress)) {
      RewardCurve curve = training.train();
      progress.say("average reward " + curve.sparkline());
      Path file = options.path(CartPoleProgram.CURVE).orElseThrow();
      curve.draw(file);
      progress.say("reward curve in " + file.toAbsolutePath());
      if (options.isOn(CartPoleProgram.BATCH)) {
        progress.say(training.gainOfBatches());
      }
    }
  }
}
