// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.random;

/// Pairs of independent standard normal values: Box and Muller, "A Note on the Generation of Random
/// Normal Deviates" (1958). A pair is a point in the plane. Its angle is random, and its distance
/// from the origin is the square root of `-2 log u` for a random `u` between 0 and 1.
///
/// The results are bitwise equal on every processor: besides integer arithmetic, only the four
/// basic operations and the square root are used, which IEEE 754 defines exactly. C2 vectorizes
/// each loop. A loop that uses the Vector API would be faster once compiled, but compiling it would
/// take C2 a hundred times as long.
public final class BoxMuller {
  /// The number of pairs per block. A block stays in the first-level cache from one loop to the
  /// next.
  private static final int SIZE = 512;

  private static final float LN2 = 0.6931472f;

  /// The angle per unit of a signed 31-bit integer, whose range covers half a turn.
  private static final float ANGLE_STEP = (float) (Math.PI * 0x1p-31);

  private static final int MANTISSA_BITS = 23;

  /// The square root of 2 as a fixed-point number with `MANTISSA_BITS` fractional bits.
  private static final int ROOT_OF_TWO = (int) (Math.sqrt(2) * (1 << MANTISSA_BITS));

  private final SplitMix64 random;
  private final long[] bits;
  private final int[] high;
  private final int[] low;
  private final float[] radii;
  private final float[] cosines;
  private final float[] sines;

  private BoxMuller(long seed, int pairs) {
    int size = Math.min(SIZE, pairs);
    random = new SplitMix64(seed);
    bits = new long[size];
    high = new int[size];
    low = new int[size];
    radii = new float[size];
    cosines = new float[size];
    sines = new float[size];
  }

  /// Returns the number of pairs needed for the given number of values.
  public static int pairs(int values) {
    return values / 2 + values % 2;
  }

  /// Writes the pairs from `first` (inclusive) to `end` (exclusive) to `y`. The values of pair `p`
  /// are written to the indices `p` and `p + pairs(y.length)`; the second value is omitted if its
  /// index is beyond the end of `y`.
  public static void fill(long seed, float[] y, int first, int end) {
    int half = pairs(y.length);
    BoxMuller block = new BoxMuller(seed, end - first);
    for (int start = first; start < end; start += SIZE) {
      int n = Math.min(SIZE, end - start);
      block.draw(start, n);
      block.distances(n);
      block.points(n);
      System.arraycopy(block.cosines, 0, y, start, n);
      System.arraycopy(block.sines, 0, y, half + start, Math.min(n, y.length - half - start));
    }
  }

  private void draw(int start, int n) {
    random.fill(bits, n, 1L + start);
    for (int i = 0; i < n; i++) {
      high[i] = (int) (bits[i] >>> 32);
    }
    for (int i = 0; i < n; i++) {
      low[i] = (int) bits[i];
    }
  }

  /// Computes the distances from the origin. Of `2^32` equal intervals between 0 and 1, one is
  /// chosen uniformly; `u` is its midpoint, truncated to 24 bits.
  ///
  /// `u` is written as `x * 2^-k`, with `x` in `[1/2, 1)`. The number of trailing zeros of the
  /// random bits is `k`; the leading bits, after an implicit 1, are the 24-bit significand `m` of
  /// `x`. If `x` is below `sqrt(1/2)`, it is doubled and `k` is incremented, so that `x` is between
  /// `sqrt(1/2)` and `sqrt(2)`. With `f = x - 1`, `log x` is a series in `f / (2 + f)` with the
  /// coefficients of FreeBSD's `logf`. Since `f` is exact, the logarithm is accurate even near 1,
  /// where it is small.
  private void distances(int n) {
    for (int i = 0; i < n; i++) {
      int m = high[i] >>> (32 - MANTISSA_BITS) | 1 << MANTISSA_BITS;
      int below = (m - ROOT_OF_TWO) >>> 31; // 1 or 0; C2 would not vectorize a branch
      float k = Integer.numberOfTrailingZeros(high[i]) + below;
      float f = (m + (m & -below)) * 0x1p-24f - 1f;
      float q = f / (2f + f);
      float z = q * q;
      float p = 0.6666666f + z * (0.40000972f + z * (0.28498787f + z * 0.24279079f));
      radii[i] = (float) Math.sqrt(2f * (k * LN2 - q * (2f + z * p)));
    }
  }

  /// Computes the points. The angle is at most a quarter turn in either direction; the lowest bit
  /// selects the point at this angle or the opposite point. Sine and cosine are approximated by
  /// minimax polynomials, with errors of 5e-9 and 5e-8.
  private void points(int n) {
    for (int i = 0; i < n; i++) {
      float radius = radii[i] * (1 - 2 * (low[i] & 1));
      float a = (low[i] >> 1) * ANGLE_STEP;
      float t = a * a;
      float s = -0.16666661f + t * (0.008333088f + t * (-1.9811113e-4f + t * 2.6089326e-6f));
      float c = -0.4999993f + t * (0.04166399f + t * (-0.0013855927f + t * 2.3194387e-5f));
      cosines[i] = radius * (1f + t * c);
      sines[i] = radius * (a * (1f + t * s));
    }
  }
}
