// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.autograd.onnx.OnnxException;
import org.jspecify.annotations.Nullable;

/// Whether ONNX Runtime is there and computes.
///
/// @param failure why it does not, with the cure; null if it does
record OnnxCheck(@Nullable String failure) implements Check {
  static OnnxCheck here() {
    return new OnnxCheck(whyNot(Device.CPU));
  }

  /// Runs a small model there. [Device] turns telemetry off before the library is loaded.
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
        ? Finding.ok("computes on the CPU: good for --forward onnx")
        : Finding.weak(failure);
  }
}
