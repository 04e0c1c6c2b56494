// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import dev.tensorbus.autograd.kernel.vector.VectorDoubleKernels;
import dev.tensorbus.autograd.kernel.vector.VectorKernels;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// Chooses the kernels for this JVM when the class is initialized.
final class KernelChoice {
  private static final Logger LOGGER = System.getLogger(KernelChoice.class.getName());

  static final Kernels BEST = choose();
  static final Arithmetic<double[]> FLOAT64 = chooseFloat64();

  private KernelChoice() {}

  private static Kernels choose() {
    if (!VectorModule.isThere()) {
      LOGGER.log(
          Level.WARNING,
          "Kernels use plain loops, up to 160 times slower: the JVM was started without the Vector"
              + " API; add "
              + VectorModule.FLAG
              + " or --add-modules="
              + VectorModule.NAME
              + " to the java command or, for java -jar, this line to the manifest of the jar: "
              + VectorModule.MANIFEST);
      return new ScalarKernels();
    }
    // VectorKernels must not be linked before this check, because it refers to types of the module.
    Parallel parallel = Parallel.shared();
    Kernels vector = new VectorKernels(parallel);
    LOGGER.log(Level.INFO, "Kernels use {0} on {1} threads", vector, parallel.threads());
    return vector;
  }

  private static Arithmetic<double[]> chooseFloat64() {
    return VectorModule.isThere()
        ? new VectorDoubleKernels(Parallel.shared())
        : DoubleKernels.INSTANCE;
  }
}
