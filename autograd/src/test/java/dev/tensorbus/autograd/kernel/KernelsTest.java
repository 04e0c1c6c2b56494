// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.vector.VectorKernels;
import dev.tensorbus.autograd.kernel.vector.product.VectorDots;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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

  @Test
  void aDotProductDoesNotDependOnTheRowsBesideIt() {
    Kernels kernels = new VectorKernels(new Parallel(1));
    MatmulShape all = MatmulShape.of(7, 13, 301).withTransposedB();
    MatmulShape one = MatmulShape.of(1, 13, 301).withTransposedB();
    assertThat(VectorDots.suits(all) && VectorDots.suits(one)).isTrue();
    float[] a = randoms(7 * 301);
    float[] b = randoms(13 * 301);
    float[] c = new float[7 * 13];
    kernels.matmul(all, a, b, c);
    for (int row = 0; row < 7; row++) {
      float[] alone = new float[13];
      kernels.matmul(one, Arrays.copyOfRange(a, row * 301, (row + 1) * 301), b, alone);
      assertThat(alone).isEqualTo(Arrays.copyOfRange(c, row * 13, (row + 1) * 13));
    }
  }

  private static float[] randoms(int length) {
    SplittableRandom random = new SplittableRandom(SEED + length);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }
}
