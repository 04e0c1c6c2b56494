// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.util.Arrays;

/// Random values.
final class RandomComparison extends Comparison {
  /// The hash of the first million normal values of seed 1, and three more.
  private static final int NORMALS = -2140430644;

  RandomComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int size : SIZES) {
      compare("normal", 0, size, (k, y) -> k.normal(seed, y));
    }
    knownNormals();
  }

  @Override
  void runLarge() {
    compare("normal", 0, 1_000_003, (k, y) -> k.normal(seed, y));
  }

  /// Normal values are the same on every machine, so many that the compilers take part.
  private void knownNormals() {
    float[] y = new float[1_000_003];
    actual.normal(1, y);
    if (Arrays.hashCode(y) != NORMALS) {
      throw new AssertionError("normal: the hash of seed 1 is " + Arrays.hashCode(y));
    }
  }
}
