// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// Operations on each value, with another one or with a row.
final class ElementwiseComparison extends Comparison {
  ElementwiseComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    super(expected, actual, tolerance, seed);
  }

  @Override
  void run() {
    for (int size : SIZES) {
      elementwise(randoms(size));
      elementwise(edges(size));
      elementwise(denormals(size));
    }
  }

  @Override
  void runLarge() {
    elementwise(randoms(1_000_003));
    float[] x = randoms(1_000_000);
    float[] row = randoms(5);
    compare("subtract short rows", 0, x.length, (k, y) -> k.subtract(x, row, y));
  }

  private void elementwise(float[] a) {
    int n = a.length;
    float[] b = randoms(n);
    compare("add", 0, n, (k, y) -> k.add(a, b, y));
    compare("add row", 0, 3 * n, (k, y) -> k.add(repeated(a, 3), b, y));
    compare("subtract", 0, n, (k, y) -> k.subtract(a, b, y));
    compare("subtract row", 0, 3 * n, (k, y) -> k.subtract(repeated(a, 3), b, y));
    compare("multiply row", 0, 3 * n, (k, y) -> k.multiply(repeated(a, 3), b, y));
    compare("divide row", 0, 3 * n, (k, y) -> k.divide(repeated(a, 3), b, y));
    compare("multiply", 0, n, (k, y) -> k.multiply(a, b, y));
    compare("divide", 0, n, (k, y) -> k.divide(a, b, y));
    boolean[] mask = masks(n);
    compare("choose", 0, n, (k, y) -> k.choose(mask, a, b, y));
    compare("choose of edges", 0, n, (k, y) -> k.choose(mask, b, a, y));
    compare("maximum", 0, n, (k, y) -> k.maximum(a, b, y));
    compare("minimum", 0, n, (k, y) -> k.minimum(b, a, y));
    for (Order order : Order.values()) {
      compare("compare " + order, 0, n, (k, y) -> compared(k, order, a, b, y));
      compare("compare equals " + order, 0, n, (k, y) -> compared(k, order, a, a, y));
    }
    compare("addRows", 0, 3 * n, (k, y) -> k.addRows(repeated(a, 3), b, y));
    compare("roundToBfloat16", 0, n, (k, y) -> rounded(k, a, y));
    compare("scale", 0, n, (k, y) -> k.scale(a, 1.7f, y));
    for (int size : new int[] {1, 3, 17, 40}) {
      float[] x = repeated(a, 2 * size);
      compare("affine", 2, 2 * n * size, (k, y) -> k.affineChannels(x, size, a, b, y));
    }
    compare("scaleRows", 0, 3 * n, (k, y) -> k.scaleRows(repeated(a, 3), b, y));
    for (UnaryFunction function : UnaryFunctions.values()) {
      function(function, a, b);
    }
    function(new UnaryFunction.LeakyRelu(0.01), a, b);
    function(new UnaryFunction.Clamp(-0.5, 0.25), a, b);
    function(new UnaryFunction.Clamp(0.25, -0.5), a, b);
    for (double exponent : new double[] {-2, -1, 0, 0.5, 1, 2, 3, 4.5}) {
      function(new UnaryFunction.Power(exponent), a, b);
    }
  }

  private static void compared(Kernels kernels, Order order, float[] a, float[] b, float[] y) {
    boolean[] mask = new boolean[y.length];
    kernels.compare(order, a, b, mask);
    for (int i = 0; i < y.length; i++) {
      y[i] = mask[i] ? 1 : 0;
    }
  }

  private static void rounded(Kernels kernels, float[] x, float[] y) {
    short[] rounded = new short[y.length];
    kernels.roundToBfloat16(x, rounded);
    for (int i = 0; i < y.length; i++) {
      y[i] = rounded[i]; // its bits, as a whole number
    }
  }

  /// Within a few units in the last place; a derivative may be a difference of greater values.
  private void function(UnaryFunction function, float[] x, float[] gradient) {
    compare(function.toString(), 4, x.length, (k, y) -> k.map(function, x, y));
    float[] kept = function.keepsResult() ? results(function, x) : x;
    compare(
        function + " gradient", 8, x.length, (k, y) -> k.mapGradient(function, kept, gradient, y));
  }

  private static float[] results(UnaryFunction function, float[] x) {
    float[] results = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      results[i] = (float) function.at(x[i]);
    }
    return results;
  }

  private boolean[] masks(int length) {
    boolean[] mask = new boolean[length];
    for (int i = 0; i < length; i++) {
      mask[i] = random.nextBoolean();
    }
    return mask;
  }
}
