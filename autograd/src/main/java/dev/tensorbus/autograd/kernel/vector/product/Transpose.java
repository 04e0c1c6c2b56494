// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Scratch;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/// Transposes contiguous lines: `target[to + p * step + j] = lines[j, p]`.
///
/// A block of LANES by LANES values is transposed in log2(LANES) rounds. Each round interleaves
/// line `i` with line `i + LANES / 2` and writes the results to another array. Vectors of 256 bits
/// would need only three rounds, instead of four with 512 bits, but all code uses vectors of one
/// width; for the reason, see [TileEdge]. A round is deliberately a short loop: when a whole block
/// was held in registers, C2 stopped inlining in some JVMs and boxed every vector.
public final class Transpose {

  /// Duplicates each value of the lower half of a vector.
  private static final VectorShuffle<Float> LOWER = SPECIES.shuffleFromOp(lane -> lane / 2);

  /// Duplicates each value of the upper half of a vector.
  private static final VectorShuffle<Float> UPPER =
      SPECIES.shuffleFromOp(lane -> (LANES + lane) / 2);

  private static final VectorMask<Float> ODD = VectorMask.fromLong(SPECIES, 0xAAAA_AAAAL);

  /// The number of rounds between the first round, which reads the source, and the last, which
  /// writes the target.
  private static final int INNER_ROUNDS = Integer.numberOfTrailingZeros(LANES) - 2;

  private static final int BLOCK = LANES * LANES;

  private Transpose() {}

  /// Transposes `count` lines of `depth` values.
  public static void run(Lines lines, int count, int depth, float[] target, int to, int step) {
    int wholeCount = LANES < 4 ? 0 : SPECIES.loopBound(count);
    int wholeDepth = SPECIES.loopBound(depth);
    Scratch.borrow(
        2 * BLOCK,
        scratch -> {
          for (int j = 0; j < wholeCount; j += LANES) {
            for (int p = 0; p < wholeDepth; p += LANES) {
              transposeBlock(lines.from(j, p), target, to + p * step + j, step, scratch);
            }
            transposeRest(lines, j, j + LANES, wholeDepth, depth, target, to, step);
          }
        });
    transposeRest(lines, wholeCount, count, 0, depth, target, to, step);
  }

  /// Transposes `count` lines of `depth` values to panels of [Tile#ROWS] lines. In the first panel,
  /// `target[to + p * ROWS + j] = lines[j, p]`.
  static void interleave(Lines lines, int count, int depth, float[] target, int to) {
    Scratch.borrow(
        2 * ROWS * LANES,
        scratch -> {
          for (int j = 0; j < count; j += ROWS) {
            interleavePanel(lines.from(j, 0), depth, target, to + j * depth, scratch);
          }
        });
  }

  /// Transposes one panel. Eight lines need only three rounds (log2 of 8), even if a vector has
  /// more lanes.
  private static void interleavePanel(
      Lines lines, int depth, float[] target, int to, float[] scratch) {
    int whole = SPECIES.loopBound(depth);
    for (int p = 0; p < whole; p += LANES) {
      int from = lines.at(0, p);
      zip(ROWS / 2, lines.values(), from, lines.stride(), scratch, 0, LANES);
      zip(ROWS / 2, scratch, 0, LANES, scratch, ROWS * LANES, LANES);
      zip(ROWS / 2, scratch, ROWS * LANES, LANES, target, to + p * ROWS, LANES);
    }
    transposeRest(lines, 0, ROWS, whole, depth, target, to, ROWS);
  }

  private static void transposeBlock(
      Lines lines, float[] target, int to, int step, float[] scratch) {
    zip(LANES / 2, lines.values(), lines.start(), lines.stride(), scratch, 0, LANES);
    int at = 0;
    for (int round = 0; round < INNER_ROUNDS; round++) {
      zip(LANES / 2, scratch, at, LANES, scratch, BLOCK - at, LANES);
      at = BLOCK - at;
    }
    zip(LANES / 2, scratch, at, LANES, target, to, step);
  }

  /// Interleaves line `i` with line `i + half`, for each `i` below `half`. Each pair of lines
  /// results in two lines of the target, where lines are `next` values apart.
  private static void zip(
      int half, float[] source, int from, int stride, float[] target, int to, int next) {
    int second = from + half * stride;
    for (int i = 0; i < half; i++) {
      FloatVector x = FloatVector.fromArray(SPECIES, source, from + i * stride);
      FloatVector y = FloatVector.fromArray(SPECIES, source, second + i * stride);
      int at = to + 2 * i * next;
      x.rearrange(LOWER).blend(y.rearrange(LOWER), ODD).intoArray(target, at);
      x.rearrange(UPPER).blend(y.rearrange(UPPER), ODD).intoArray(target, at + next);
    }
  }

  private static void transposeRest(
      Lines lines, int line, int end, int first, int depth, float[] target, int to, int step) {
    float[] source = lines.values();
    for (int p = first; p < depth; p++) {
      for (int j = line; j < end; j++) {
        target[to + p * step + j] = source[lines.start() + j * lines.stride() + p];
      }
    }
  }
}
