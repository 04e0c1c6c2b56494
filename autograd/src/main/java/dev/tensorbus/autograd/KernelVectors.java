// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.kernel.Kernels;

/// The vectors that kernels compute with. After torch's `torch.backends.cpu.get_cpu_capability`.
public final class KernelVectors {
  private KernelVectors() {}

  /// Their width in bits, such as 512. 0 where kernels are plain loops: the JVM was started without
  /// the flag that gives them the Vector API, and a warning has named it.
  public static int bits() {
    return Kernels.best().vectorBits();
  }
}
