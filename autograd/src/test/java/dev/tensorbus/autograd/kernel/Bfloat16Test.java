// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import dev.tensorbus.autograd.kernel.vector.VectorKernels;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Rounding to bfloat16; `SafetensorsTest` has torch's values, and [KernelComparison] other
/// widths of vectors.
final class Bfloat16Test {
  private static final int PATTERNS = 1 << 16;

  private final long seed = Long.getLong("seed", 1);

  @Test
  void everyValueComesBackFromFloat32() {
    for (int bits = 0; bits < PATTERNS; bits++) {
      float value = Bfloat16.toFloat((short) bits);
      short expected = Float.isNaN(value) ? Bfloat16.NAN : (short) bits;
      assertThat(Bfloat16.of(value)).isEqualTo(expected);
    }
    assertThat(Bfloat16.toFloat(Bfloat16.NAN)).isNaN();
  }

  @Test
  void whatLiesBetweenTwoValuesGoesToTheNearestOrTheEvenOne() {
    for (int bits = 0; bits < 0x7f80; bits++) {
      float middle = Float.intBitsToFloat((bits << 16) + 0x8000);
      int even = bits + (bits & 1);
      for (int sign = -1; sign <= 1; sign += 2) {
        assertThat(Bfloat16.of(sign * Math.nextDown(middle))).isEqualTo(signed(sign, bits));
        assertThat(Bfloat16.of(sign * middle)).isEqualTo(signed(sign, even));
        assertThat(Bfloat16.of(sign * Math.nextUp(middle))).isEqualTo(signed(sign, bits + 1));
      }
    }
  }

  private static short signed(int sign, int bits) {
    return (short) (sign < 0 ? bits | 0x8000 : bits);
  }

  @Test
  void vectorsRoundEachKindOfValueAsOneDoes() {
    SplittableRandom random = new SplittableRandom(seed);
    float[] x = new float[5 * PATTERNS + 3];
    for (int i = 0; i < x.length; i++) {
      x[i] = Float.intBitsToFloat(i << 16 | random.nextInt(PATTERNS));
    }
    short[] expected = new short[x.length];
    short[] rounded = new short[x.length];
    new ScalarKernels().roundToBfloat16(x, expected);
    new VectorKernels(new Parallel(2)).roundToBfloat16(x, rounded);
    assertThat(rounded).as("-Dseed=" + seed).isEqualTo(expected);
  }
}
