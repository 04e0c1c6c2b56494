// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.autograd.KernelThreads;
import dev.tensorbus.autograd.KernelVectors;

/// Checks the kernels that this JVM uses.
///
/// @param threads the number of threads
record KernelsCheck(KernelVectors vectors, int threads) implements Check {
  static KernelsCheck here() {
    return new KernelsCheck(KernelVectors.current(), KernelThreads.count());
  }

  @Override
  public Finding finding() {
    if (vectors.bits() == 0) {
      return Finding.weak(
          "plain loops, up to 160 times slower than vectors; start programs with tensorbus, or add"
              + " --add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
    }
    return Finding.ok(
        "%d-bit vectors on %d threads: tiles of %d x %d in %d registers, products at %d %% of peak"
            .formatted(
                vectors.bits(),
                threads,
                vectors.tileRows(),
                vectors.tileColumns(),
                vectors.registers(),
                vectors.percentOfPeak()));
  }
}
