// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/// Sums the lanes of vectors that are stored in an array. Unlike with `reduceLanes`, the order of
/// the additions is fixed.
public final class LaneSums {
  private static final VectorMask<Float> ODD = VectorMask.fromLong(SPECIES, 0xAAAA_AAAAL);

  /// Moves the even lanes to the front, followed by the odd lanes.
  private static final VectorShuffle<Float> EVEN_FIRST =
      SPECIES.shuffleFromOp(lane -> lane < LANES / 2 ? 2 * lane : 2 * lane - LANES + 1);

  /// Moves the odd lanes to the front, followed by the even lanes.
  private static final VectorShuffle<Float> ODD_FIRST =
      SPECIES.shuffleFromOp(lane -> lane < LANES / 2 ? 2 * lane + 1 : 2 * lane - LANES);

  private LaneSums() {}

  /// Returns the sum of the vector at `lanes[first]`. Its lanes are added one after another, in
  /// double; for the reason, see
  /// [dev.tensorbus.autograd.kernel.vector.elementwise.VectorElementwise#sum].
  public static float sum(float[] lanes, int first) {
    double sum = 0;
    for (int i = first; i < first + LANES; i++) {
      sum += lanes[i];
    }
    return (float) sum;
  }

  /// Writes the sums of `count` vectors to the first `count` values of `lanes`. Adjacent values are
  /// added until one value of each vector is left. This is three times as fast as calling [#sum]
  /// for each vector, which would take as long as computing a tile of [VectorDots] with 400 inner
  /// values.
  ///
  /// @param lanes the vectors, in an array with room for at least two vectors
  static void sumEach(int count, float[] lanes) {
    for (int length = count * LANES; length > count; length /= 2) {
      addNeighbours(length, lanes);
    }
  }

  /// Adds adjacent values among the first `length`: `lanes[i] = lanes[2 * i] + lanes[2 * i + 1]`.
  private static void addNeighbours(int length, float[] lanes) {
    for (int i = 0; i < length; i += 2 * LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, lanes, i);
      FloatVector y = FloatVector.fromArray(SPECIES, lanes, i + LANES);
      FloatVector evenFirst = x.blend(y, ODD).rearrange(EVEN_FIRST);
      evenFirst.add(y.blend(x, ODD).rearrange(ODD_FIRST)).intoArray(lanes, i / 2);
    }
  }
}
