// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// Conversions between float and bfloat16, the upper half of a float's bits in a `short`. A
/// bfloat16 has the range of a float and 8 of its 24 bits of precision.
public final class Bfloat16 {
  /// The canonical NaN, to which every NaN is rounded.
  public static final short NAN = 0x7fc0;

  private Bfloat16() {}

  /// Rounds to the nearest bfloat16, ties to even, as torch does.
  public static short of(float x) {
    int bits = Float.floatToRawIntBits(x);
    return Float.isNaN(x) ? NAN : (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }

  /// Converts a bfloat16 to float, exactly.
  public static float toFloat(short x) {
    return Float.intBitsToFloat(x << 16);
  }

  /// Converts bfloat16 values to floats, exactly. C2 vectorizes this loop.
  public static float[] toFloats(short... x) {
    float[] floats = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      floats[i] = toFloat(x[i]);
    }
    return floats;
  }
}
