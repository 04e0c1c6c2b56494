// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import java.time.Duration;

/// Multiplies until C2 has compiled the loops, and fails if a product never becomes as fast as its
/// plain loops let expect. If C2 boxes the vectors of a loop, does not inline it or does not
/// compile it, its product takes ten to a hundred times as long.
///
/// One fast sample is enough, so a busy machine does not matter.
final class ProductSpeed {
  /// The plain loops wait for each addition of one sum. The kernels compute at least four vectors
  /// of sums at once.
  private static final int SUMS_AT_ONCE = 4;

  /// The factor by which a product may miss the expected time.
  private static final int MARGIN = 5;

  private static final long PATIENCE = Duration.ofSeconds(20).toNanos();
  private static final int CALLS = 10;

  private final Kernels kernels;

  ProductSpeed(Kernels kernels) {
    this.kernels = kernels;
  }

  void check() {
    float32(MatmulShape.of(48, 64, 80));
    float32(MatmulShape.of(160, 160, 160));
    float32(MatmulShape.of(160, 160, 160).withTransposedA());
    float32(MatmulShape.of(160, 1024, 40));
    float32(MatmulShape.of(8, 160, 256).withTransposedB());
    float64(MatmulShape.of(160, 160, 160));
  }

  private void float32(MatmulShape shape) {
    float[] a = new float[shape.rows() * shape.inner()];
    float[] b = new float[shape.inner() * shape.columns()];
    float[] c = new float[shape.rows() * shape.columns()];
    Kernels loops = new ScalarKernels();
    compare(
        "float32 " + shape,
        kernels.registers().lanes(),
        () -> loops.matmul(shape, a, b, c),
        () -> kernels.matmul(shape, a, b, c));
  }

  private void float64(MatmulShape shape) {
    double[] a = new double[shape.rows() * shape.inner()];
    double[] b = new double[shape.inner() * shape.columns()];
    double[] c = new double[shape.rows() * shape.columns()];
    compare(
        "float64 " + shape,
        kernels.registers().lanes() / 2,
        () -> DoubleKernels.INSTANCE.matmul(shape, a, b, c),
        () -> Kernels.float64().matmul(shape, a, b, c));
  }

  private static void compare(String name, int lanes, Runnable loops, Runnable kernel) {
    long plain = Math.min(time(loops), time(loops));
    long most = MARGIN * plain / (SUMS_AT_ONCE * lanes);
    long start = System.nanoTime();
    long time = time(kernel);
    while (time > most) {
      if (System.nanoTime() - start > PATIENCE) {
        throw new AssertionError(
            "%s takes %,d ns, and plain loops %,d ns; expected at most %,d ns"
                .formatted(name, time / CALLS, plain / CALLS, most / CALLS));
      }
      time = time(kernel);
    }
  }

  private static long time(Runnable body) {
    long start = System.nanoTime();
    for (int call = 0; call < CALLS; call++) {
      body.run();
    }
    return System.nanoTime() - start;
  }
}
