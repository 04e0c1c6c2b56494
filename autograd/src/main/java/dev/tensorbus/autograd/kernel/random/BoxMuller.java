// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.random;

/// Pairs of independent standard normal values: Box and Muller, "A Note on the Generation of Random
/// Normal Deviates" (1958). A pair is a point at a random angle whose distance from the origin is
/// the root of `-2 log u` for a random `u` between 0 and 1.
///
/// Every processor gives the same bits: nothing but integers, the four operations and the root,
/// which IEEE 754 defines, takes part.
public final class BoxMuller {
  public static final float LN2 = 0.6931472f;

  /// What the last of 31 signed bits adds to an angle of half a turn.
  public static final float ANGLE_STEP = (float) (Math.PI * 0x1p-31);

  public static final int MANTISSA_BITS = 23;

  /// The root of 2 with so many bits behind the point.
  public static final int ROOT_OF_TWO = (int) (Math.sqrt(2) * (1 << MANTISSA_BITS));

  // Coefficients, the constant's first. Those of the logarithm are those of FreeBSD's `logf`; the
  // others have the least greatest error, 5e-9 and 5e-8.

  public static final float LOG_0 = 0.6666666f;
  public static final float LOG_1 = 0.40000972f;
  public static final float LOG_2 = 0.28498787f;
  public static final float LOG_3 = 0.24279079f;
  public static final float SINE_0 = -0.16666661f;
  public static final float SINE_1 = 0.008333088f;
  public static final float SINE_2 = -1.9811113e-4f;
  public static final float SINE_3 = 2.6089326e-6f;
  public static final float COSINE_0 = -0.4999993f;
  public static final float COSINE_1 = 0.04166399f;
  public static final float COSINE_2 = -0.0013855927f;
  public static final float COSINE_3 = 2.3194387e-5f;

  private BoxMuller() {}

  /// How many pairs give so many values.
  public static int pairs(int values) {
    return values / 2 + values % 2;
  }

  /// Fills `y`. A pair's second value lies half of `y` behind its first one; it is left out where
  /// `y` has no place for it.
  public static void fill(long seed, float[] y) {
    SplitMix64 random = new SplitMix64(seed);
    int half = pairs(y.length);
    for (int pair = 0; pair < half; pair++) {
      long bits = random.at(pair + 1L);
      int low = (int) bits;
      float radius = radius((int) (bits >>> 32)) * (1 - 2 * (low & 1));
      float angle = (low >> 1) * ANGLE_STEP;
      y[pair] = cosine(angle) * radius;
      if (half + pair < y.length) {
        y[half + pair] = sine(angle) * radius;
      }
    }
  }

  /// `u` is the middle of one of `2^32` equal parts of the interval, all as probable: its exponent
  /// counts the zeros at the end of the bits, and its fraction is their beginning. With `m` for
  /// the fraction, from the root of 1/2 to that of 2, `log m` is a series in `f / (2 + f)`. Near 1,
  /// where the logarithm is small, `f` is exact.
  private static float radius(int bits) {
    int m = bits >>> (32 - MANTISSA_BITS) | 1 << MANTISSA_BITS;
    int below = m < ROOT_OF_TWO ? 1 : 0;
    float k = Integer.numberOfTrailingZeros(bits) + below;
    float f = (m << below) * 0x1p-24f - 1f;
    float q = f / (f + 2f);
    float z = q * q;
    float log = q * (2f + z * (LOG_0 + z * (LOG_1 + z * (LOG_2 + z * LOG_3))));
    return (float) Math.sqrt(2f * (k * LN2 - log));
  }

  /// Up to a quarter turn to either side.
  private static float cosine(float a) {
    float t = a * a;
    return 1f + t * (COSINE_0 + t * (COSINE_1 + t * (COSINE_2 + t * COSINE_3)));
  }

  private static float sine(float a) {
    float t = a * a;
    return a * (1f + t * (SINE_0 + t * (SINE_1 + t * (SINE_2 + t * SINE_3))));
  }
}
