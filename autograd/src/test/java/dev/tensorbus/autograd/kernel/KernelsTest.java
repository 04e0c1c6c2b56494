// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.vector.VectorDoubleKernels;
import dev.tensorbus.autograd.kernel.vector.VectorKernels;
import dev.tensorbus.autograd.kernel.vector.product.VectorDots;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every kernel in its fast spelling against the specification, at the width of vectors that this
/// machine prefers; [JvmTest] has the others.
@Tag("slow")
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

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void productsOfFloat64AreThoseOfTheSpecification(int threads) {
    VectorDoubleKernels kernels = new VectorDoubleKernels(new Parallel(threads));
    for (int[] sizes :
        new int[][] {
          {1, 1, 1},
          {3, 5, 2},
          {4, 16, 300},
          {9, 70, 129},
          {70, 9, 0},
          {131, 150, 200},
          {20, 600, 300}
        }) {
      MatmulShape plain = MatmulShape.of(sizes[0], sizes[1], sizes[2]);
      for (MatmulShape shape :
          List.of(plain, plain.withTransposedA(), plain.withTransposedB().withTransposedA())) {
        double[] a = doubles(sizes[0] * sizes[2]);
        double[] b = doubles(sizes[2] * sizes[1]);
        double[] bias = doubles(sizes[1]);
        double[] expected = new double[sizes[0] * sizes[1]];
        double[] actual = new double[expected.length];
        DoubleKernels.INSTANCE.affine(shape, a, b, bias, expected);
        kernels.affine(shape, a, b, bias, actual);
        assertThat(actual).as("%s, seed %d", shape, SEED).containsExactly(expected, within(1e-13));
      }
    }
  }

  private static double[] doubles(int length) {
    return new SplittableRandom(SEED + length).doubles(length, -1, 1).toArray();
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
