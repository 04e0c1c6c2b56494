// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.verticles.DoorSettings;
import dev.tensorbus.verticles.Part;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.Settings;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;

/// `tensorbus train mnist`.
public final class MnistProgram {
  /// A ConvNet on a parameter server, driven by trainers through distributed autograd.
  public static final Program PROGRAM =
      new Program(
          "mnist",
          "a ConvNet that reads handwritten digits, on a parameter server",
          Settings.with(
              Setting.WORLD_SIZE
                  .from(1)
                  .withHelp("workers in all: a parameter server and N-1 trainers"),
              Setting.DATA.withHelp("folder of MNIST's files; without it, drawn digits"),
              Setting.EPOCHS,
              Setting.BATCH_SIZE,
              Setting.LR,
              Setting.FORWARD,
              Setting.NUM_GPUS,
              Setting.CPU_FALLBACK,
              DoorSettings.TRAINERS,
              DoorSettings.BATCH,
              DoorSettings.DELAY),
          MnistProgram::check,
          new Part(Role.PARAMETER_SERVER, ParameterServerVerticle::new),
          new Part(Role.TRAINER, TrainerVerticle::new));

  private MnistProgram() {}

  private static void check(WorkerOptions options) {
    boolean isTaughtOutside =
        DoorSettings.of(options).isPresent() && options.whole(DoorSettings.TRAINERS) > 0;
    if (options.worldSize() == 1 && !isTaughtOutside) {
      throw new UsageException(
          "a world of 1 is a parameter server without a trainer; give --grpc-port and"
              + " --grpc-trainers for those that come from outside, or a world size of 2 or more");
    }
    Data.of(options);
    if (options.rank().orElse(0) == 0) {
      ForwardPass.check(options);
    }
  }
}
