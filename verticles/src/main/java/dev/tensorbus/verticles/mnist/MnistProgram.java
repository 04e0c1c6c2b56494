// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.verticles.CheckpointSettings;
import dev.tensorbus.verticles.DeviceSettings;
import dev.tensorbus.verticles.GatewaySettings;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.ServerSettings;
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
          ProgramSettings.withServers(
              ServerSettings.WORLD_SIZE,
              Setting.DATA.withHelp("folder of the MNIST files (default: generated digits)"),
              Setting.SAVE.withHelp("save the weights in this folder after each epoch"),
              CheckpointSettings.RESUME.withHelp(
                  "start with the weights of a saved run; without DIR, continue the run of"
                      + " --checkpoint"),
              Setting.EPOCHS,
              Setting.BATCH_SIZE,
              Setting.LR,
              DeviceSettings.DEVICE.withHelp(
                  "device for training steps with ONNX Runtime: cpu, cuda or cuda:N; used by the"
                      + " parameter server, or with --servers by each trainer (default: in Java)"),
              Setting.FORWARD,
              Setting.NUM_GPUS,
              Setting.CPU_FALLBACK,
              GatewaySettings.TRAINERS,
              GatewaySettings.BATCH,
              GatewaySettings.DELAY,
              GatewaySettings.SKIP_NONFINITE),
          MnistProgram::check,
          new RoleBinding(Role.PARAMETER_SERVER, (options, _) -> new MnistServerVerticle(options)),
          new RoleBinding(Role.TRAINER, MnistTrainerVerticle::new),
          new RoleBinding(Role.TRAINER, MnistStoreTrainerVerticle::new),
          MnistStore::serve);

  private MnistProgram() {}

  private static void check(WorkerOptions options) {
    ServerSettings.check(options);
    Data.check(options);
    checkDevice(options);
    if (ServerSettings.isOn(options) || options.rank().orElse(0) == 0) {
      ForwardPass.check(options);
    }
  }

  /// Checks the device of the workers that have the network.
  private static void checkDevice(WorkerOptions options) {
    if (!options.isGiven(DeviceSettings.DEVICE)) {
      return;
    }
    if (options.whole(Setting.NUM_GPUS) > 0 || options.isGiven(Setting.FORWARD)) {
      throw new UsageException(
          "--device is given with --forward or --num-gpus, which are for forward passes only; leave"
              + " them out: --device computes forward passes, too");
    }
    DeviceSettings.check(
        options, ServerSettings.isOn(options) ? Role.TRAINER : Role.PARAMETER_SERVER);
  }
}
