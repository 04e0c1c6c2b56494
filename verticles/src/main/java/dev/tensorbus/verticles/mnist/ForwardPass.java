// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Accelerated;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// The network's forward pass, in Java or with ONNX Runtime on one or two devices.
final class ForwardPass {
  private static final Logger LOG = System.getLogger(ForwardPass.class.getName());

  private ForwardPass() {}

  /// Returns the forward pass selected by the options.
  ///
  /// @throws OnnxException if ONNX Runtime or a device is not available
  static UnaryOperator<Tensor> of(MnistNet net, WorkerOptions options) {
    List<Device> devices = devices(options);
    if (devices.isEmpty()) {
      return net::forward;
    }
    if (devices.size() == 1) {
      return Accelerated.of(net, net::forward, devices.getFirst())::forward;
    }
    Accelerated features = Accelerated.of(net, net::features, devices.get(0));
    Accelerated classes = Accelerated.of(net, net::classify, devices.get(1));
    return images -> classes.forward(features.forward(images));
  }

  /// Returns the devices for ONNX Runtime; empty if the pass runs in Java.
  private static List<Device> devices(WorkerOptions options) {
    int gpus = options.whole(Setting.NUM_GPUS);
    if (gpus == 0) {
      boolean isOnnx = options.word(Setting.FORWARD).equals("onnx");
      return isOnnx ? List.of(Device.CPU) : List.of();
    }
    List<Device> devices = IntStream.range(0, gpus).mapToObj(Device::cuda).toList();
    try {
      devices.forEach(Device::require);
      return devices;
    } catch (OnnxException e) {
      if (!options.isOn(Setting.CPU_FALLBACK)) {
        throw e;
      }
      LOG.log(Level.WARNING, "computing forward passes on the CPU: {0}", e.getMessage());
      return List.of(Device.CPU);
    }
  }

  /// Checks, before anything starts, that the devices are available.
  ///
  /// @throws UsageException if a device is unavailable
  static void check(WorkerOptions options) {
    try {
      devices(options).forEach(Device::require);
    } catch (OnnxException e) {
      throw new UsageException(Objects.requireNonNull(e.getMessage()));
    }
  }
}
