// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.training;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.cartpole.CartPoleProgram;
import dev.tensorbus.verticles.cartpole.CartPoleTraining;

/// Runs the CartPole program until it is solved, for at most a minute and without a warm-up, as the
/// PyTorch benchmark does.
public final class CartPoleBench extends RpcWorker {
  public static final Program PROGRAM =
      new Program(
          "rl",
          "the CartPole program until it is solved",
          CartPoleProgram.SETTINGS,
          options -> {},
          new RoleBinding(Role.AGENT, CartPoleBench::new),
          CartPoleProgram.PROGRAM.others());

  private static final double LIMIT_SECONDS = 60;

  private final WorkerOptions options;
  private final Progress progress;

  private CartPoleBench(WorkerOptions options, Progress progress) {
    super(Role.AGENT, options);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    try (CartPoleTraining training = new CartPoleTraining(rpc, options, Progress.NONE)) {
      while (!training.isSolved() && training.rate().seconds() < LIMIT_SECONDS) {
        training.runEpisode();
      }
      say("steps", training.rate().perSecond(), "steps/s");
      say("episodes", training.rate().episodes(), "episodes");
      say("running_reward", training.runningReward(), "reward");
      say("seconds", training.rate().seconds(), "s");
    }
  }

  private void say(String what, double value, String unit) {
    String name = "rl.observers" + (options.worldSize() - 1) + "." + what;
    progress.say(new Figure(name, value, unit).toString());
  }
}
