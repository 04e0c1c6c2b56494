// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.LANES;
import static dev.tensorbus.autograd.kernel.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/// Turns eight lines, each of neighbours in memory, so that the eight values of one p become
/// neighbours.
final class Transposition {
  /// Lines turned at a time.
  static final int LINES = 8;

  /// Each value of the lower half twice, and of the upper half.
  private static final VectorShuffle<Float> LOW = SPECIES.shuffleFromOp(lane -> lane / 2);
  private static final VectorShuffle<Float> HIGH =
      SPECIES.shuffleFromOp(lane -> (lane + LANES) / 2);

  private static final VectorMask<Float> ODD = VectorMask.fromLong(SPECIES, 0xAAAA_AAAA_AAAA_AAAAL);

  /// The first eight lanes, and with 512 bits the last eight.
  private static final VectorMask<Float> FIRST = SPECIES.indexInRange(0, LINES);

  private static final VectorMask<Float> LAST = FIRST.not();

  private Transposition() {}

  /// Puts value `p` of line `j`, `source[start + j * stride + p]`, to `target[at + p * width +
  /// j]`.
  static void run(
      float[] source, int start, int stride, int depth, float[] target, int at, int width) {
    int whole = LANES == 8 || LANES == 16 ? depth / LANES * LANES : 0;
    for (int p = 0; p < whole; p += LANES) {
      turnVectors(source, start + p, stride, target, at + p * width, width);
    }
    for (int p = whole; p < depth; p++) {
      for (int j = 0; j < LINES; j++) {
        target[at + p * width + j] = source[start + j * stride + p];
      }
    }
  }

  /// Turns eight vectors by zipping them three times: lines four apart, two apart, neighbours.
  private static void turnVectors(
      float[] source, int start, int stride, float[] target, int at, int width) {
    FloatVector a0 = FloatVector.fromArray(SPECIES, source, start);
    FloatVector a1 = FloatVector.fromArray(SPECIES, source, start + stride);
    FloatVector a2 = FloatVector.fromArray(SPECIES, source, start + 2 * stride);
    FloatVector a3 = FloatVector.fromArray(SPECIES, source, start + 3 * stride);
    FloatVector a4 = FloatVector.fromArray(SPECIES, source, start + 4 * stride);
    FloatVector a5 = FloatVector.fromArray(SPECIES, source, start + 5 * stride);
    FloatVector a6 = FloatVector.fromArray(SPECIES, source, start + 6 * stride);
    FloatVector a7 = FloatVector.fromArray(SPECIES, source, start + 7 * stride);

    FloatVector b0 = a0.rearrange(LOW).blend(a4.rearrange(LOW), ODD);
    FloatVector b1 = a0.rearrange(HIGH).blend(a4.rearrange(HIGH), ODD);
    FloatVector b2 = a1.rearrange(LOW).blend(a5.rearrange(LOW), ODD);
    FloatVector b3 = a1.rearrange(HIGH).blend(a5.rearrange(HIGH), ODD);
    FloatVector b4 = a2.rearrange(LOW).blend(a6.rearrange(LOW), ODD);
    FloatVector b5 = a2.rearrange(HIGH).blend(a6.rearrange(HIGH), ODD);
    FloatVector b6 = a3.rearrange(LOW).blend(a7.rearrange(LOW), ODD);
    FloatVector b7 = a3.rearrange(HIGH).blend(a7.rearrange(HIGH), ODD);

    // b0, b1 hold lines 0 and 4; b4, b5 hold 2 and 6; b2, b3 hold 1 and 5; b6, b7 hold 3 and 7.
    FloatVector c0 = b0.rearrange(LOW).blend(b4.rearrange(LOW), ODD);
    FloatVector c1 = b0.rearrange(HIGH).blend(b4.rearrange(HIGH), ODD);
    FloatVector c2 = b1.rearrange(LOW).blend(b5.rearrange(LOW), ODD);
    FloatVector c3 = b1.rearrange(HIGH).blend(b5.rearrange(HIGH), ODD);
    FloatVector c4 = b2.rearrange(LOW).blend(b6.rearrange(LOW), ODD);
    FloatVector c5 = b2.rearrange(HIGH).blend(b6.rearrange(HIGH), ODD);
    FloatVector c6 = b3.rearrange(LOW).blend(b7.rearrange(LOW), ODD);
    FloatVector c7 = b3.rearrange(HIGH).blend(b7.rearrange(HIGH), ODD);

    // c0 to c3 hold lines 0, 2, 4, 6 and c4 to c7 hold 1, 3, 5, 7, a quarter of the p each.
    FloatVector d0 = c0.rearrange(LOW).blend(c4.rearrange(LOW), ODD);
    FloatVector d1 = c0.rearrange(HIGH).blend(c4.rearrange(HIGH), ODD);
    FloatVector d2 = c1.rearrange(LOW).blend(c5.rearrange(LOW), ODD);
    FloatVector d3 = c1.rearrange(HIGH).blend(c5.rearrange(HIGH), ODD);
    FloatVector d4 = c2.rearrange(LOW).blend(c6.rearrange(LOW), ODD);
    FloatVector d5 = c2.rearrange(HIGH).blend(c6.rearrange(HIGH), ODD);
    FloatVector d6 = c3.rearrange(LOW).blend(c7.rearrange(LOW), ODD);
    FloatVector d7 = c3.rearrange(HIGH).blend(c7.rearrange(HIGH), ODD);

    if (width == LINES) {
      d0.intoArray(target, at + 0 * LANES);
      d1.intoArray(target, at + 1 * LANES);
      d2.intoArray(target, at + 2 * LANES);
      d3.intoArray(target, at + 3 * LANES);
      d4.intoArray(target, at + 4 * LANES);
      d5.intoArray(target, at + 5 * LANES);
      d6.intoArray(target, at + 6 * LANES);
      d7.intoArray(target, at + 7 * LANES);
      return;
    }
    int step = LANES / LINES * width;
    int last = at + width - LINES;
    d0.intoArray(target, at + 0 * step, FIRST);
    d0.intoArray(target, last + 0 * step, LAST);
    d1.intoArray(target, at + 1 * step, FIRST);
    d1.intoArray(target, last + 1 * step, LAST);
    d2.intoArray(target, at + 2 * step, FIRST);
    d2.intoArray(target, last + 2 * step, LAST);
    d3.intoArray(target, at + 3 * step, FIRST);
    d3.intoArray(target, last + 3 * step, LAST);
    d4.intoArray(target, at + 4 * step, FIRST);
    d4.intoArray(target, last + 4 * step, LAST);
    d5.intoArray(target, at + 5 * step, FIRST);
    d5.intoArray(target, last + 5 * step, LAST);
    d6.intoArray(target, at + 6 * step, FIRST);
    d6.intoArray(target, last + 6 * step, LAST);
    d7.intoArray(target, at + 7 * step, FIRST);
    d7.intoArray(target, last + 7 * step, LAST);
  }
}
