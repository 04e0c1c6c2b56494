// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.kernel.vector.VectorKernels;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every kernel in its fast spelling against the specification, at the width of vectors that this
/// machine prefers; [JvmTest] has the others.
final class KernelsTest {
  private static final long SEED = Long.getLong("seed", 1);

  @BeforeAll
  static void loadTheVectorModule() {
    assertThat(VectorModule.isThere()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void vectorKernelsComputeWhatScalarKernelsCompute(int threads) {
    new KernelComparison(new VectorKernels(new Parallel(threads)), SEED).run();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7})
  void resultsAreTheSameBitForBitWhateverTheNumberOfThreads(int threads) {
    Kernels one = new VectorKernels(new Parallel(1));
    new KernelComparison(one, new VectorKernels(new Parallel(threads)), 0, SEED).runLarge();
  }
}
