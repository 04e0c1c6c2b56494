// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import java.util.List;
import java.util.function.Consumer;

/// Runs two implementations of every kernel on the same values and compares: a [Comparison] for
/// each kind.
///
/// A program too: other widths of vectors need a JVM of their own, see [JvmTest].
final class KernelComparison {
  private static final List<Kind> KINDS =
      List.of(
          ElementwiseComparison::new,
          LayoutComparison::new,
          ReductionComparison::new,
          SoftmaxComparison::new,
          NormalizationComparison::new,
          ProductComparison::new,
          ConvolutionComparison::new,
          PoolingComparison::new,
          RecurrenceComparison::new,
          AttentionComparison::new,
          RandomComparison::new);

  private final Kernels expected;
  private final Kernels actual;
  private final float tolerance;
  private final long seed;

  /// Compares with the specification.
  KernelComparison(Kernels actual, long seed) {
    this(new ScalarKernels(), actual, 0x1p-22f, seed);
  }

  KernelComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    this.expected = expected;
    this.actual = actual;
    this.tolerance = tolerance;
    this.seed = seed;
  }

  /// Makes the comparison of one kind of kernels.
  @FunctionalInterface
  private interface Kind {
    Comparison of(Kernels expected, Kernels actual, float tolerance, long seed);
  }

  /// Fails with a non-zero exit if the kernels of this JVM are slow or compute anything wrong.
  public static void main(String... arguments) {
    Kernels best = Kernels.best();
    if (best.registers().count() > 0) {
      new ProductSpeed(best).check();
    }
    new KernelComparison(best, 1).run();
    IO.println(best + " agree");
  }

  void run() {
    forEachKind(Comparison::run);
  }

  /// Sizes that are large enough to be divided among threads.
  void runLarge() {
    forEachKind(Comparison::runLarge);
  }

  private void forEachKind(Consumer<Comparison> action) {
    KINDS.forEach(kind -> action.accept(kind.of(expected, actual, tolerance, seed)));
  }
}
