// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.onnx.Device;
import org.jspecify.annotations.Nullable;

/// Checks whether ONNX Runtime is installed and works.
///
/// @param failure why it does not work and how to fix it; null if it works
record OnnxCheck(@Nullable String failure) implements Check {
  static OnnxCheck here() {
    return new OnnxCheck(whyNot(Device.CPU));
  }

  /// Runs a small model on the device. Returns the reason if this fails, and null otherwise.
  /// [Device] turns telemetry off before the library is loaded.
  static @Nullable String whyNot(Device device) {
    try {
      device.require();
      return null;
    } catch (OnnxException e) {
      return e.getMessage();
    }
  }

  @Override
  public Finding finding() {
    return failure == null
        ? Finding.ok("works on the CPU: for --device cpu, --forward onnx")
        : Finding.weak(failure);
  }
}
