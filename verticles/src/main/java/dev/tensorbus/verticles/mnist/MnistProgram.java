// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;

/// The definition of `tensorbus train mnist`.
public final class MnistProgram {
  /// The MNIST program: a ConvNet on a parameter server, trained by other workers with distributed
  /// autograd.
  public static final Program PROGRAM =
      new Program(
          "mnist",
          "a ConvNet that reads handwritten digits, on a parameter server",
          ProgramSettings.with(
              Setting.WORLD_SIZE
                  .from(1)
                  .withHelp("number of workers: a parameter server and N-1 trainers"),
              Setting.DATA.withHelp("folder of the MNIST files (default: generated digits)"),
              Setting.SAVE.withHelp("save the weights in this folder after each epoch"),
              Setting.RESUME.withHelp("start with the weights of a saved run"),
              Setting.EPOCHS,
              Setting.BATCH_SIZE,
              Setting.LR,
              Setting.FORWARD,
              Setting.NUM_GPUS,
              Setting.CPU_FALLBACK,
              GatewaySettings.TRAINERS,
              GatewaySettings.CONSISTENCY,
              GatewaySettings.BATCH,
              GatewaySettings.DELAY,
              GatewaySettings.SKIP_NONFINITE),
          MnistProgram::check,
          new RoleBinding(Role.PARAMETER_SERVER, MnistServerVerticle::new),
          new RoleBinding(Role.TRAINER, MnistTrainerVerticle::new));

  private MnistProgram() {}

  private static void check(WorkerOptions options) {
    boolean isTaughtOutside =
        GatewaySettings.isOn(options) && options.whole(GatewaySettings.TRAINERS) > 0;
    if (options.worldSize() == 1 && !isTaughtOutside) {
      throw new UsageException(
          "a world of 1 has a parameter server but no trainer; set --grpc-port and"
              + " --grpc-trainers for trainers over gRPC, or --world-size to 2 or more");
    }
    GatewaySettings.consistency(options);
    Data.check(options);
    if (options.rank().orElse(0) == 0) {
      ForwardPass.check(options);
    }
  }
}
