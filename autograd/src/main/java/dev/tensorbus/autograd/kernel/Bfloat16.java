// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// Values of bfloat16: the upper half of a float's bits, in a `short`. They have a float's range,
/// and 8 bits of its 24 for digits.
public final class Bfloat16 {
  /// The one NaN that rounding gives.
  public static final short NAN = 0x7fc0;

  private Bfloat16() {}

  /// The nearest value; of two that are as near, the even one. So does torch.
  public static short of(float x) {
    int bits = Float.floatToRawIntBits(x);
    return Float.isNaN(x) ? NAN : (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }

  /// The same value.
  public static float toFloat(short x) {
    return Float.intBitsToFloat(x << 16);
  }

  /// The same values. C2 vectorizes this loop.
  public static float[] toFloats(short... x) {
    float[] floats = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      floats[i] = toFloat(x[i]);
    }
    return floats;
  }
}
