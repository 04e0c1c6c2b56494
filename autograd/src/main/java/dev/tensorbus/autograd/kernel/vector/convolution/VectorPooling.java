// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/// Max pooling over windows of two by two, without branches: which of four random values is the
/// greatest cannot be guessed.
public final class VectorPooling {
  private static final VectorSpecies<Float> SPECIES = Tile.SPECIES;
  private static final VectorSpecies<Integer> INDICES =
      VectorSpecies.of(int.class, SPECIES.vectorShape());
  private static final int LANES = Tile.LANES;

  /// Every second value of two vectors.
  private static final VectorShuffle<Float> EVEN = SPECIES.shuffleFromOp(lane -> 2 * lane % LANES);
  private static final VectorShuffle<Float> ODD =
      SPECIES.shuffleFromOp(lane -> 2 * lane % LANES + 1);

  private static final VectorMask<Float> UPPER = SPECIES.indexInRange(0, LANES / 2).not();

  /// Twice the lane's number: how far a lane's window is from the first lane's.
  private static final IntVector WINDOWS = IntVector.zero(INDICES).addIndex(2);

  /// Fewer planes are not worth waking a thread.
  private static final int SMALLEST_SHARE = 64;

  private VectorPooling() {}

  /// See [dev.tensorbus.autograd.kernel.Kernels#maxPool], for a window of 2.
  public static void run(
      Parallel parallel, PoolingShape shape, float[] x, float[] y, int[] positions) {
    parallel.divide(
        shape.planes(),
        SMALLEST_SHARE,
        (first, end) -> {
          for (int left = 0; left < shape.outputWidth(); left += LANES) {
            int rows = shape.outputHeight();
            for (int row = first * rows; row < end * rows; row++) {
              int top = row / rows * shape.height() + row % rows * 2;
              poolRow(shape, left, x, top * shape.width(), y, positions, row);
            }
          }
        });
  }

  /// Pools two rows of `x`, the upper one at `from`, to one vector of row `row` of the results.
  private static void poolRow(
      PoolingShape shape, int left, float[] x, int from, float[] y, int[] positions, int row) {
    int width = shape.width();
    VectorMask<Float> near = SPECIES.indexInRange(2 * left, width);
    VectorMask<Float> far = SPECIES.indexInRange(2 * left + LANES, width);
    int upper = from + 2 * left;
    int lower = upper + width;
    FloatVector u0 = FloatVector.fromArray(SPECIES, x, upper, near);
    FloatVector u1 = FloatVector.fromArray(SPECIES, x, upper + LANES, far);
    FloatVector l0 = FloatVector.fromArray(SPECIES, x, lower, near);
    FloatVector l1 = FloatVector.fromArray(SPECIES, x, lower + LANES, far);
    // C2 makes more of two shuffles and a blend than of a shuffle of two vectors.
    FloatVector best = u0.rearrange(EVEN).blend(u1.rearrange(EVEN), UPPER);
    IntVector at = WINDOWS.add(upper);

    // Greater, or NaN where the best is not.
    FloatVector next = u0.rearrange(ODD).blend(u1.rearrange(ODD), UPPER);
    VectorMask<Float> greater =
        next.compare(VectorOperators.LE, best).not().and(best.compare(VectorOperators.EQ, best));
    best = best.blend(next, greater);
    at = at.blend(WINDOWS.add(upper + 1), greater.cast(INDICES));

    next = l0.rearrange(EVEN).blend(l1.rearrange(EVEN), UPPER);
    greater =
        next.compare(VectorOperators.LE, best).not().and(best.compare(VectorOperators.EQ, best));
    best = best.blend(next, greater);
    at = at.blend(WINDOWS.add(lower), greater.cast(INDICES));

    next = l0.rearrange(ODD).blend(l1.rearrange(ODD), UPPER);
    greater =
        next.compare(VectorOperators.LE, best).not().and(best.compare(VectorOperators.EQ, best));
    best = best.blend(next, greater);
    at = at.blend(WINDOWS.add(lower + 1), greater.cast(INDICES));

    VectorMask<Float> present = SPECIES.indexInRange(left, shape.outputWidth());
    int to = row * shape.outputWidth() + left;
    best.intoArray(y, to, present);
    at.intoArray(positions, to, present.cast(INDICES));
  }
}
