// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.VectorRegisters;

/// The SIMD vectors that kernels compute with, and the tiles in which they compute matrix products.
/// Like `torch.backends.cpu.get_cpu_capability`.
///
/// @param bits the vector width, such as 512; 0 if the kernels are scalar because the JVM was
///     started without the flag for the Vector API, which a logged warning names
/// @param registers the number of vector registers of a core
/// @param tileRows the number of rows of a product that are computed at once
/// @param tileColumns the number of columns of a product that are computed at once
/// @param percentOfPeak how much of a core's multiply-adds large products execute
public record KernelVectors(
    int bits, int registers, int tileRows, int tileColumns, int percentOfPeak) {
  /// Returns the vectors of this JVM's kernels.
  public static KernelVectors current() {
    VectorRegisters registers = Kernels.best().registers();
    return new KernelVectors(
        registers.lanes() * Float.SIZE,
        registers.count(),
        registers.tileRows(),
        registers.tileColumns(),
        registers.percentOfPeak());
  }
}
