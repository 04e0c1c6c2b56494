// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.doctor;

import dev.tensorbus.autograd.KernelThreads;
import dev.tensorbus.autograd.KernelVectors;

/// The kernels that this JVM computes with.
///
/// @param vectorBits the width of their vectors, 0 for plain loops
/// @param threads the threads that they compute on
record KernelsCheck(int vectorBits, int threads) implements Check {
  static KernelsCheck here() {
    return new KernelsCheck(KernelVectors.bits(), KernelThreads.count());
  }

  @Override
  public Finding finding() {
    return vectorBits > 0
        ? Finding.ok(
            "vectors of %d bits on %d threads: networks compute at full speed"
                .formatted(vectorBits, threads))
        : Finding.weak(
            "plain loops, up to 160 times slower than vectors; start programs by tensorbus, or add"
                + " --add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
  }
}
