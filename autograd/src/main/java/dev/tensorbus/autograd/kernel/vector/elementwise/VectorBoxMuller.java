// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.random.BoxMuller.MANTISSA_BITS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.random.BoxMuller;
import dev.tensorbus.autograd.kernel.random.SplitMix64;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// [dev.tensorbus.autograd.kernel.Kernels#normal] as the scalar twin computes it, bit for bit.
///
/// Its loops are not left to C2, which vectorizes all of them only if their first runs were long.
public final class VectorBoxMuller {
  private static final VectorSpecies<Long> LONGS =
      VectorSpecies.of(long.class, VectorShape.forBitSize(SPECIES.vectorBitSize()));

  /// The distances of every second state from the first one.
  private static final LongVector STATES =
      LongVector.zero(LONGS).addIndex(2).mul(SplitMix64.GOLDEN_GAMMA);

  private static final long LOW_HALF = 0xFFFFFFFFL;

  private static final FloatVector TWO = FloatVector.broadcast(SPECIES, 2f);

  /// Pairs that are worth waking a thread: about 30 microseconds.
  private static final int SMALLEST_SHARE = 1 << 14;

  private VectorBoxMuller() {}

  /// Fills `y`.
  public static void run(Parallel parallel, long seed, float[] y) {
    parallel.divide(
        BoxMuller.pairs(y.length), SMALLEST_SHARE, (first, end) -> fill(seed, y, first, end));
  }

  /// Fills `y` with the pairs from `first` to `end`.
  ///
  /// The bits of pairs 0, 2, 4, … are in one vector of longs, those of pairs 1, 3, 5, … in another
  /// one. So their halves, side by side, are two vectors of ints in the order of the pairs.
  private static void fill(long seed, float[] y, int first, int end) {
    int half = BoxMuller.pairs(y.length);
    int secondEnd = Math.min(y.length, half + end);
    for (int i = first; i < end; i += LANES) {
      LongVector a = STATES.add(seed + (i + 1L) * SplitMix64.GOLDEN_GAMMA);
      LongVector b = a.add(SplitMix64.GOLDEN_GAMMA);
      a = a.lanewise(VectorOperators.XOR, a.lanewise(VectorOperators.LSHR, 30));
      b = b.lanewise(VectorOperators.XOR, b.lanewise(VectorOperators.LSHR, 30));
      a = a.mul(SplitMix64.MIX_1);
      b = b.mul(SplitMix64.MIX_1);
      a = a.lanewise(VectorOperators.XOR, a.lanewise(VectorOperators.LSHR, 27));
      b = b.lanewise(VectorOperators.XOR, b.lanewise(VectorOperators.LSHR, 27));
      a = a.mul(SplitMix64.MIX_2);
      b = b.mul(SplitMix64.MIX_2);
      a = a.lanewise(VectorOperators.XOR, a.lanewise(VectorOperators.LSHR, 31));
      b = b.lanewise(VectorOperators.XOR, b.lanewise(VectorOperators.LSHR, 31));
      IntVector high =
          a.lanewise(VectorOperators.LSHR, 32).or(b.and(~LOW_HALF)).reinterpretAsInts();
      IntVector low = a.and(LOW_HALF).or(b.lanewise(VectorOperators.LSHL, 32)).reinterpretAsInts();

      IntVector m = high.lanewise(VectorOperators.LSHR, 32 - MANTISSA_BITS).or(1 << MANTISSA_BITS);
      IntVector below = m.sub(BoxMuller.ROOT_OF_TWO).lanewise(VectorOperators.LSHR, 31);
      IntVector zeros = high.lanewise(VectorOperators.TRAILING_ZEROS_COUNT);
      FloatVector k = (FloatVector) zeros.add(below).convertShape(VectorOperators.I2F, SPECIES, 0);
      IntVector fraction = m.lanewise(VectorOperators.LSHL, below);
      FloatVector f = (FloatVector) fraction.convertShape(VectorOperators.I2F, SPECIES, 0);
      f = f.mul(0x1p-24f).sub(1f);
      FloatVector q = f.div(f.add(2f));
      FloatVector z = q.mul(q);
      FloatVector log = z.mul(BoxMuller.LOG_3).add(BoxMuller.LOG_2);
      log = log.mul(z).add(BoxMuller.LOG_1);
      log = log.mul(z).add(BoxMuller.LOG_0);
      log = log.mul(z).add(TWO).mul(q);
      FloatVector radius = k.mul(BoxMuller.LN2).sub(log).mul(TWO).sqrt();
      IntVector side = low.lanewise(VectorOperators.LSHL, 31);
      radius = radius.reinterpretAsInts().lanewise(VectorOperators.XOR, side).reinterpretAsFloats();

      IntVector turn = low.lanewise(VectorOperators.ASHR, 1);
      FloatVector angle = (FloatVector) turn.convertShape(VectorOperators.I2F, SPECIES, 0);
      angle = angle.mul(BoxMuller.ANGLE_STEP);
      FloatVector t = angle.mul(angle);
      FloatVector cosine = t.mul(BoxMuller.COSINE_3).add(BoxMuller.COSINE_2);
      cosine = cosine.mul(t).add(BoxMuller.COSINE_1);
      cosine = cosine.mul(t).add(BoxMuller.COSINE_0);
      cosine = cosine.mul(t).add(1f);
      FloatVector sine = t.mul(BoxMuller.SINE_3).add(BoxMuller.SINE_2);
      sine = sine.mul(t).add(BoxMuller.SINE_1);
      sine = sine.mul(t).add(BoxMuller.SINE_0);
      sine = sine.mul(t).add(1f).mul(angle);
      cosine.mul(radius).intoArray(y, i, SPECIES.indexInRange(i, end));
      sine.mul(radius).intoArray(y, half + i, SPECIES.indexInRange(half + i, secondEnd));
    }
  }
}
