// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.runtime;

import java.util.Map;

/// The execution provider of a session: ONNX Runtime's for the CPU, or the one for CUDA with one
/// GPU.
///
/// @param gpu the index of the GPU, or -1 for the CPU
/// @param tf32 whether the GPU may round the factors of products to TF32
public record Provider(int gpu, boolean tf32) {
  /// The CPU provider.
  public static final Provider CPU = new Provider(-1, false);

  /// Returns whether this is the CUDA provider.
  public boolean isGpu() {
    return gpu >= 0;
  }

  /// Returns the settings of the CUDA provider. By default cuDNN times its algorithms and picks the
  /// fastest, which may differ from run to run.
  public Map<String, String> settings() {
    return Map.of(
        "device_id",
        Integer.toString(gpu),
        "use_tf32",
        tf32 ? "1" : "0",
        "cudnn_conv_algo_search",
        "HEURISTIC");
  }

  /// Returns the name of the device in torch's notation: `cpu` or `cuda:1`.
  @Override
  public String toString() {
    return isGpu() ? "cuda:" + gpu : "cpu";
  }
}
