// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.onnx.Device;
import java.util.Optional;

/// The setting of the device that computes training steps.
public final class DeviceSettings {
  /// The device. By default, there is none, and the engine in Java computes.
  public static final Setting DEVICE =
      new Setting(
          "device",
          "DEVICE",
          new SettingType.Parsed("cpu, cuda or cuda:N, such as cuda:0", Device::of),
          null,
          "compute training steps with ONNX Runtime on cpu, cuda or cuda:N (default: in Java,"
              + " without ONNX Runtime)");

  private DeviceSettings() {}

  /// Returns the device; empty for the engine in Java.
  public static Optional<Device> of(WorkerOptions options) {
    return Optional.ofNullable(options.word(DEVICE)).map(Device::of);
  }

  /// Checks, before anything starts, that ONNX Runtime can use the device. Does nothing in a
  /// process that runs only a worker of another role.
  ///
  /// @param role the role of the workers that compute on the device
  /// @throws UsageException if it cannot
  public static void check(WorkerOptions options, Role role) {
    Ranks ranks = Ranks.of(options);
    int rank = options.rank().orElse(ranks.first(role));
    if (rank >= ranks.first(role) && rank <= ranks.last(role)) {
      of(options).ifPresent(DeviceSettings::require);
    }
  }

  private static void require(Device device) {
    try {
      device.require();
    } catch (OnnxException e) {
      throw new UsageException("--device is %s; %s".formatted(device, e.getMessage()));
    }
  }
}
