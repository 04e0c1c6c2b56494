// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.autograd.KernelThreads;
import dev.tensorbus.autograd.KernelVectors;

/// Checks the kernels that this JVM uses.
///
/// @param vectorBits the vector width in bits, 0 for plain loops
/// @param threads the number of threads
record KernelsCheck(int vectorBits, int threads) implements Check {
  static KernelsCheck here() {
    return new KernelsCheck(KernelVectors.bits(), KernelThreads.count());
  }

  @Override
  public Finding finding() {
    return vectorBits > 0
        ? Finding.ok("%d-bit vectors on %d threads: full speed".formatted(vectorBits, threads))
        : Finding.weak(
            "plain loops, up to 160 times slower than vectors; start programs with tensorbus, or"
                + " add --add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
  }
}
