// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.kernel.Kernels;

/// The SIMD vectors that kernels compute with. Like `torch.backends.cpu.get_cpu_capability`.
public final class KernelVectors {
  private KernelVectors() {}

  /// Returns the vector width in bits, such as 512. Returns 0 if the kernels are scalar because the
  /// JVM was started without the flag for the Vector API; a logged warning names that flag.
  public static int bits() {
    return Kernels.best().vectorBits();
  }
}
