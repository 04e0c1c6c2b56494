// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import dev.tensorbus.autograd.kernel.shape.PoolingWindows;
import dev.tensorbus.autograd.kernel.shape.Window;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Runs two implementations of every kernel on the same random and edge values and compares.
///
/// A program too: other widths of vectors need a JVM of their own, see [JvmTest].
final class KernelComparison {
  /// Around one, two and four vectors of any width, then sizes with several blocks.
  private static final int[] SIZES = {1, 3, 7, 8, 9, 15, 16, 17, 31, 64, 207, 1000};

  private static final float[] EDGES = {
    0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -1f,
  };

  private final Kernels expected;
  private final Kernels actual;

  /// Allowed per addition, relative to the size of what is added; 0 asks for equal bits.
  private final float tolerance;

  private final long seed;
  private final SplittableRandom random;

  /// Compares with the specification.
  KernelComparison(Kernels actual, long seed) {
    this(new ScalarKernels(), actual, 0x1p-22f, seed);
  }

  KernelComparison(Kernels expected, Kernels actual, float tolerance, long seed) {
    this.expected = expected;
    this.actual = actual;
    this.tolerance = tolerance;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
  }

  /// Fails with a non-zero exit if the kernels of this JVM compute anything wrong.
  public static void main(String... arguments) {
    Kernels best = Kernels.best();
    new KernelComparison(best, 1).run();
    IO.println(best + " agree");
  }

  void run() {
    new RecurrenceComparison(expected, actual, seed).run();
    new AttentionComparison(expected, actual, tolerance, seed).run();
    for (int size : SIZES) {
      elementwise(randoms(size));
      elementwise(edges(size));
      reductions(size);
      matmul(size, 5, 9);
      matmul(5, size, 9);
      matmul(9, 5, size);
      matmul(1, size, 9);
      matmul(size, 2, 31);
    }
    matmul(0, 3, 2);
    matmul(3, 2, 0);
    matmul(100, 70, 0);
    matmul(207, 207, 207);
    matmul(104, 87, 300);
    // Half a tile's rows and half a vector on its edges, for vectors of any width.
    matmul(20, 200, 31);
    matmul(13, 34, 8);
    matmul(9, 36, 8);
    thinProducts();
    dotProducts();
    poolings();
    convolutions(new ConvolutionShape(3, 1, 28, 28, 32, 3, 3));
    convolutions(new ConvolutionShape(2, 32, 26, 26, 64, 3, 3));
    convolutions(new ConvolutionShape(2, 40, 5, 40, 3, 3, 3));
    convolutions(new ConvolutionShape(5, 3, 9, 11, 7, 2, 4));
    convolutions(new ConvolutionShape(1, 1, 1, 1, 1, 1, 1));
    convolutions(new ConvolutionShape(2, 3, 4, 4, 9, 4, 4));
    convolutions(new ConvolutionShape(0, 3, 4, 4, 9, 4, 4));
    // Several small images in one task, the last one of fewer, and filters in several blocks.
    convolutions(new ConvolutionShape(37, 33, 6, 5, 3, 3, 3));
    // Several panels of few filter values packed together.
    convolutions(new ConvolutionShape(2, 9, 15, 17, 20, 1, 1));
    // Channels of the filters' gradient in several parts.
    convolutions(new ConvolutionShape(3, 64, 4, 4, 500, 3, 3));
    filtersOfThreeByThree();
    depthwiseFilters();
    windows(Window.of(9, 3), Window.of(40, 3));
    windows(new Window(8, 3, 1, 1, 1), new Window(41, 3, 1, 1, 1));
    windows(new Window(1, 1, 1, 0, 1), new Window(70, 5, 2, 2, 1));
    windows(new Window(17, 1, 1, 0, 1), new Window(9, 1, 1, 0, 1));
    windows(new Window(7, 4, 3, 2, 1), new Window(50, 2, 3, 5, 1));
    windows(new Window(9, 3, 2, 1, 2), new Window(39, 4, 2, 2, 3));
    windows(new Window(3, 2, 5, 3, 1), new Window(2, 2, 4, 3, 2));
  }

  /// Images with many channels, of which several or one make a task, and values that spread.
  private void filtersOfThreeByThree() {
    Window padded = new Window(14, 3, 1, 1, 1);
    convolutions(new ConvolutionShape(5, 64, 70, 1, padded, padded));
    convolutions(new ConvolutionShape(1, 128, 128, 2, Window.of(40, 3), Window.of(18, 3)));
    // Channels and filters in several parts, and images in shares of two sizes.
    Window small = new Window(8, 3, 1, 1, 1);
    convolutions(new ConvolutionShape(9, 128, 256, 1, small, small));
    ConvolutionShape shape = new ConvolutionShape(3, 64, 64, 1, padded, padded);
    float[] x = randoms(shape.batch() * shape.channels() * shape.pixels());
    x[1000] = Float.NaN;
    x[20_000] = Float.POSITIVE_INFINITY;
    convolutions(shape, x);
  }

  /// Rows of about one, two and four vectors of any width, one or two filters for each channel, and
  /// values that spread.
  private void depthwiseFilters() {
    for (int width : new int[] {3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65}) {
      Window rows = new Window(1 + width % 5, 3, 1, 1, 1);
      convolutions(new ConvolutionShape(2, 3, 6, 3, rows, new Window(width, 3, 1, 1, 1)));
      convolutions(new ConvolutionShape(2, 3, 3, 3, Window.of(7, 3), Window.of(width, 3)));
    }
    Window padded = new Window(20, 3, 1, 1, 1);
    ConvolutionShape shape = new ConvolutionShape(2, 4, 4, 4, padded, padded);
    float[] x = randoms(shape.batch() * shape.channels() * shape.pixels());
    x[19] = Float.NaN;
    x[500] = Float.POSITIVE_INFINITY;
    x[901] = Float.NEGATIVE_INFINITY;
    x[1300] = -0f;
    x[1700] = Float.MIN_VALUE;
    convolutions(shape, x);
  }

  /// Few and many channels and filters, in one group and several.
  private void windows(Window rows, Window columns) {
    convolutions(new ConvolutionShape(2, 3, 5, 1, rows, columns));
    convolutions(new ConvolutionShape(1, 34, 18, 2, rows, columns));
    convolutions(new ConvolutionShape(2, 5, 5, 5, rows, columns));
    convolutions(new ConvolutionShape(2, 6, 6, 3, rows, columns));
  }

  /// Sizes that are large enough to be divided among threads.
  void runLarge() {
    new AttentionComparison(expected, actual, tolerance, seed).runLarge();
    matmul(300, 200, 700);
    matmul(2, 700, 300);
    matmul(21, 1003, 350);
    matmul(2100, 40, 300);
    logSoftmaxOf(randoms(100_000));
    longRowsOf(randoms(50_000));
    longRowsOf(edges(50_000));
    convolutions(new ConvolutionShape(33, 5, 20, 20, 10, 3, 3));
    Window across = new Window(20, 3, 2, 1, 1);
    convolutions(new ConvolutionShape(1, 5, 10, 1, across, new Window(40, 3, 1, 1, 1)));
    convolutions(new ConvolutionShape(17, 6, 9, 3, across, across));
    convolutions(new ConvolutionShape(17, 6, 6, 6, across, across));
    Window step = new Window(8, 3, 1, 1, 1);
    convolutions(new ConvolutionShape(9, 64, 64, 1, step, step));
    pooling(1000, new Window(20, 3, 2, 1, 1), new Window(20, 2, 2, 0, 1));
    elementwise(randoms(1_000_003));
    float[] x = randoms(1_000_000);
    normalizations(randoms(480_000), 40_000);
    compare("sumChannels", 200_000, 5, (k, sums) -> k.sumChannels(x, 20, sums));
    compare("sum", 1_000_000, 1, (k, y) -> y[0] = (float) k.sum(x));
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
    for (double exponent : new double[] {-2, -1, 0, 0.5, 1, 2, 3, 4.5}) {
      function(new UnaryFunction.Power(exponent), a, b);
    }
    float[] thrice = repeated(a, 3);
    compare("maxRows", 0, 3, (k, y) -> k.maxRows(n, 1, thrice, y, new int[3]));
    compare("maxRows' positions", 0, 3, (k, y) -> rowPositions(k, n, 1, thrice, y));
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
    compare(function + " gradient", 8, x.length, (k, y) -> k.mapGradient(function, x, gradient, y));
  }

  private void reductions(int n) {
    float[] x = randoms(12 * n);
    float[] edges = edges(12 * n);
    compare("sum", 12 * n, 1, (k, y) -> y[0] = (float) k.sum(x));
    compare("fillChannels", 0, 12 * n, (k, y) -> k.fillChannels(Arrays.copyOf(x, 3), n, y));
    compare("sumChannels", 4 * n, 3, (k, y) -> k.sumChannels(x, n, y));
    compare("sumChannels of rows", 12, n, (k, y) -> k.sumChannels(x, 1, y));
    compare("sumRows", 11, n, (k, y) -> k.sumRows(11, n, x, y));
    compare("sumRows of blocks", 4, 3 * n, (k, y) -> k.sumRows(4, n, x, y));
    compare("sumRows of short rows", n, 4, (k, y) -> k.sumRows(3 * n, 2, x, y));
    for (float[] values : new float[][] {x, edges}) {
      compare("maxRows", 0, 3 * n, (k, y) -> k.maxRows(4, n, values, y, new int[3 * n]));
      compare("maxRows' positions", 0, 3 * n, (k, y) -> rowPositions(k, 4, n, values, y));
    }
    normalizations(x, n);
    normalizations(edges, n);
    compare("softmax", 4, 12 * n, (k, y) -> k.softmax(x, n, y));
    compare("softmaxGradient", n + 4, 12 * n, (k, y) -> k.softmaxGradient(x, x, n, y));
    compare("softmax of edges", 4, 12 * n, (k, y) -> k.softmax(edges, n, y));
    compare("logSoftmax of edges", n + 4, 12 * n, (k, y) -> k.logSoftmax(edges, n, y));
    int[] places = random.ints(12 * n, 0, n).toArray();
    compare("addAt", 48, n, (k, y) -> k.addAt(places, x, y));
    compare("takeAt", 0, 12 * n, (k, y) -> takeAt(k, edges, places, y));
    compare("logSoftmax", n, 12 * n, (k, y) -> k.logSoftmax(x, n, y));
    compare("logSoftmaxGradient", n, 12 * n, (k, y) -> k.logSoftmaxGradient(x, x, n, y));
    compare("deviations", n + 4, 12 * n, (k, y) -> k.deviations(x, n, y, new double[12]));
    compare("squares", 4, 12, (k, y) -> rounded(y, sums -> k.deviations(x, n, x.clone(), sums)));
    compare("logSumExp", n, 12, (k, y) -> rounded(y, sums -> k.logSumExp(x, n, sums)));
    compare("logSumExp of edges", n, 12, (k, y) -> rounded(y, s -> k.logSumExp(edges, n, s)));
    scaledSoftmax(x, n);
    scaledSoftmax(edges, n);
  }

  /// From the second value on, and not to the first one.
  private static void takeAt(Kernels k, float[] x, int[] places, float[] y) {
    k.takeAt(x, 1, places, places.length - 1, y, 1);
  }

  /// Layer, group and batch normalization of images and of rows. The scale of a group whose values
  /// are nearly equal enlarges rounding errors, so epsilon is large.
  private void normalizations(float[] x, int n) {
    normalize(new NormalizationShape(12, n, n, 1, 0.1), x);
    normalize(new NormalizationShape(4, 3 * n, 6, n, 0.1), x);
    normalize(new NormalizationShape(6, 2 * n, 4 * n, 1, 0.1), x);
    normalize(new NormalizationShape(3, n, 3, n, 0.1), x);
    normalize(new NormalizationShape(n, 1, n, 1, 0.1), x);
  }

  private void normalize(NormalizationShape shape, float[] x) {
    int groups = shape.groups();
    int channels = shape.channels();
    int each = x.length / groups;
    float[] weight = randoms(channels);
    float[] bias = randoms(channels);
    compare(
        "normalize " + shape,
        each + 8,
        x.length,
        (k, y) -> k.normalize(shape, x, weight, bias, Moments.ofGroups(groups), y));
    for (int which = 0; which < 2; which++) {
      int moment = which;
      compare(
          (which == 0 ? "mean of " : "variance of ") + shape,
          each + 4,
          groups,
          (k, y) -> moments(k, shape, x, weight, bias, moment, y));
    }
    Moments moments = Moments.ofGroups(groups);
    expected.normalize(shape, x, weight, bias, moments, new float[x.length]);
    float[] gradient = randoms(x.length);
    for (int which = 0; which < 3; which++) {
      int input = which;
      compare(
          "gradient of input " + input + " of " + shape,
          8 * (each + x.length / channels),
          which == 0 ? x.length : channels,
          (k, y) -> {
            float[][] to = {new float[x.length], new float[channels], new float[channels]};
            to[input] = y;
            k.normalizeGradient(shape, x, weight, moments, gradient, to[0], to[1], to[2]);
          });
    }
  }

  private static void moments(
      Kernels kernels,
      NormalizationShape shape,
      float[] x,
      float[] weight,
      float[] bias,
      int which,
      float[] y) {
    Moments moments = Moments.ofGroups(shape.groups());
    kernels.normalize(shape, x, weight, bias, moments, new float[x.length]);
    double[] exact = which == 0 ? moments.mean() : moments.variance();
    rounded(y, sums -> System.arraycopy(exact, 0, sums, 0, sums.length));
  }

  private void logSoftmaxOf(float[] x) {
    compare("logSoftmax", 100, x.length, (k, y) -> k.logSoftmax(x, 100, y));
    compare("softmax", 4, x.length, (k, y) -> k.softmax(x, 10, y));
    compare("logSumExp", 100, x.length / 100, (k, y) -> rounded(y, s -> k.logSumExp(x, 100, s)));
    scaledSoftmax(x, 100);
  }

  private void longRowsOf(float[] x) {
    compare("logSumExp of long rows", 2500, 20, (k, y) -> rounded(y, s -> k.logSumExp(x, 2500, s)));
    scaledSoftmax(x, 2500);
    compare("softmax of long rows", 4, x.length, (k, y) -> k.softmax(x, 2500, y));
    compare("its gradient", 2500, x.length, (k, y) -> k.softmaxGradient(x, x, 2500, y));
    compare("logSoftmax of long rows", 100, x.length, (k, y) -> k.logSoftmax(x, 2500, y));
    compare("its gradient", 2500, x.length, (k, y) -> k.logSoftmaxGradient(x, x, 2500, y));
  }

  private void scaledSoftmax(float[] x, int n) {
    int rows = x.length / n;
    compare(
        "scaledSoftmax", 4, x.length, (k, y) -> k.scaledSoftmax(x, n, -0.3, y, new double[rows]));
    compare(
        "sums of scaledSoftmax",
        n,
        rows,
        (k, y) -> rounded(y, sums -> k.scaledSoftmax(x, n, 2, new float[x.length], sums)));
  }

  /// Float64 results, of which the comparison takes float32.
  private static void rounded(float[] y, Consumer<double[]> kernel) {
    double[] exact = new double[y.length];
    kernel.accept(exact);
    for (int i = 0; i < y.length; i++) {
      y[i] = (float) exact[i];
    }
  }

  private void matmul(int rows, int columns, int inner) {
    float[] a = randoms(rows * inner);
    float[] b = randoms(inner * columns);
    float[] bias = randoms(columns);
    MatmulShape shape = MatmulShape.of(rows, columns, inner);
    for (MatmulShape each :
        new MatmulShape[] {
          shape,
          shape.withTransposedA(),
          shape.withTransposedB(),
          shape.withTransposedA().withTransposedB()
        }) {
      compare(each.toString(), inner, rows * columns, (k, c) -> k.matmul(each, a, b, c));
      compare("affine " + each, inner + 1, rows * columns, (k, c) -> k.affine(each, a, b, bias, c));
      matmuls(each);
    }
  }

  /// Thin sides with enough inner values: whole tiles of lines and all edges of them on both sides,
  /// with inner values that fill vectors of any width and that do not.
  private void dotProducts() {
    for (int thin = 1; thin <= 10; thin++) {
      matmul(thin, 10 + thin, 150 + thin);
      matmul(10 + thin, thin, 150 + thin);
    }
    matmul(24, 30, 400);
    matmul(30, 25, 400);
    spreads(MatmulShape.of(6, 10, 151).withTransposedB());
  }

  /// Columns of one vector of any width, few rows and many, a block that few rows pack, and a left
  /// factor that is packed.
  private void thinProducts() {
    for (int columns : new int[] {4, 8, 16}) {
      matmul(19, columns, 12);
      matmul(120, columns, 31);
      matmul(19, columns + 3, 100);
      spreads(MatmulShape.of(11, columns, 9));
    }
    spreads(MatmulShape.of(7, 5, 3));
    matmul(35, 200, 100);
    matmul(107, 530, 270);
  }

  /// NaN and infinity reach the results that they belong to.
  private void spreads(MatmulShape shape) {
    float[] a = randoms(shape.rows() * shape.inner());
    float[] b = randoms(shape.inner() * shape.columns());
    a[shape.indexA(4, shape.inner() - 1)] = Float.NaN;
    b[shape.indexB(1, 3)] = Float.POSITIVE_INFINITY;
    int results = shape.rows() * shape.columns();
    compare("NaN in " + shape, shape.inner(), results, (k, c) -> k.matmul(shape, a, b, c));
  }

  private static void rowPositions(Kernels kernels, int rows, int columns, float[] x, float[] y) {
    int[] positions = new int[y.length];
    kernels.maxRows(rows, columns, x, new float[y.length], positions);
    for (int row = 0; row < y.length; row++) {
      y[row] = positions[row];
    }
  }

  private void matmuls(MatmulShape shape) {
    int batch = 3;
    float[] a = randoms(batch * shape.rows() * shape.inner());
    float[] b = randoms(batch * shape.inner() * shape.columns());
    int results = batch * shape.rows() * shape.columns();
    compare(
        batch + " " + shape, shape.inner(), results, (k, c) -> k.matmuls(batch, shape, a, b, c));
  }

  private void poolings() {
    pooling(3, new Window(24, 2, 2, 0, 1), new Window(24, 2, 2, 0, 1));
    pooling(2, new Window(9, 2, 2, 0, 1), new Window(70, 2, 2, 0, 1));
    pooling(2, new Window(9, 3, 3, 0, 1), new Window(7, 3, 3, 0, 1));
    pooling(3, new Window(15, 3, 2, 1, 1), new Window(41, 3, 2, 1, 1));
    pooling(2, new Window(8, 2, 5, 1, 1), new Window(70, 5, 1, 2, 3));
    pooling(2, new Window(19, 4, 1, 2, 3), new Window(3, 1, 1, 0, 1));
    pooling(2, new Window(5, 2, 1, 1, 5), new Window(9, 2, 3, 0, 1));
    pooling(1, new Window(1, 1, 1, 0, 1), new Window(1, 1, 1, 0, 1));
    pooling(0, new Window(4, 2, 2, 0, 1), new Window(4, 2, 2, 0, 1));
    pooling(new PoolingShape(2, PoolingWindows.adaptive(9, 4), PoolingWindows.adaptive(70, 18)));
    pooling(new PoolingShape(2, PoolingWindows.adaptive(3, 5), PoolingWindows.adaptive(35, 1)));
    pooling(new PoolingShape(2, PoolingWindows.adaptive(3, 0), PoolingWindows.adaptive(3, 2)));
  }

  private void pooling(int planes, Window rows, Window columns) {
    PoolingWindows down = PoolingWindows.sliding(rows);
    pooling(new PoolingShape(planes, down, PoolingWindows.sliding(columns)));
  }

  private void pooling(PoolingShape shape) {
    int n = shape.planes() * shape.pixels();
    int taps = shape.rows().taps() * shape.columns().taps();
    String what = shape.rows().count() + " x " + shape.columns().count() + " windows of " + taps;
    for (float[] x : new float[][] {randoms(n), edges(n), new float[n]}) {
      compare(what, 0, shape.outputs(), (k, y) -> k.maxPool(shape, x, y, ints(shape)));
      compare("positions", 0, shape.outputs(), (k, y) -> positions(k, shape, x, y));
      compare(what, taps + 1, shape.outputs(), (k, y) -> k.avgPool(shape, x, y));
    }
    for (float[] gradient : new float[][] {randoms(shape.outputs()), edges(shape.outputs())}) {
      compare(what, taps + 1, n, (k, dx) -> k.avgPoolGradient(shape, gradient, dx));
    }
  }

  private static int[] ints(PoolingShape shape) {
    return new int[shape.outputs()];
  }

  private static void positions(Kernels kernels, PoolingShape shape, float[] x, float[] y) {
    int[] positions = ints(shape);
    kernels.maxPool(shape, x, new float[y.length], positions);
    for (int i = 0; i < y.length; i++) {
      y[i] = positions[i];
    }
  }

  private void convolutions(ConvolutionShape shape) {
    convolutions(shape, randoms(shape.batch() * shape.channels() * shape.pixels()));
  }

  private void convolutions(ConvolutionShape shape, float[] x) {
    float[] weight = randoms(shape.filters() * shape.filterSize());
    int outputs = shape.batch() * shape.filters() * shape.outputPixels();
    float[] gradient = randoms(outputs);
    float[] bias = randoms(shape.filters());
    float[] xBias = randoms(shape.channels());
    compare(
        shape.toString(),
        shape.filterSize(),
        outputs,
        (k, y) -> k.convolution(shape, x, weight, bias, y));
    compare(
        shape + " by input",
        shape.groupFilters() * shape.taps(),
        x.length,
        (k, y) -> k.convolutionInputGradient(shape, weight, gradient, xBias, y));
    compare(
        shape + " by weight",
        shape.batch() * shape.outputPixels(),
        weight.length,
        (k, y) -> k.convolutionWeightGradient(shape, x, gradient, y));
  }

  /// @param additions how many values are summed up for one
  private void compare(
      String what, int additions, int length, BiConsumer<Kernels, float[]> kernel) {
    // Kernels that add to their result find the same values there.
    float[] wanted = randoms(length);
    float[] got = wanted.clone();
    kernel.accept(expected, wanted);
    kernel.accept(actual, got);
    for (int i = 0; i < length; i++) {
      float allowed = tolerance * additions * Math.max(1f, Math.abs(wanted[i]));
      if (Float.compare(wanted[i], got[i]) != 0 && !(Math.abs(wanted[i] - got[i]) <= allowed)) {
        throw new AssertionError(
            "%s: [%d] of %d is %s, expected %s (-Dseed=%d)"
                .formatted(what, i, length, got[i], wanted[i], seed));
      }
    }
  }

  private boolean[] masks(int length) {
    boolean[] mask = new boolean[length];
    for (int i = 0; i < length; i++) {
      mask[i] = random.nextBoolean();
    }
    return mask;
  }

  private float[] randoms(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  private float[] edges(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = EDGES[random.nextInt(EDGES.length)];
    }
    return values;
  }

  private static float[] repeated(float[] values, int times) {
    float[] repeated = new float[values.length * times];
    for (int i = 0; i < repeated.length; i++) {
      repeated[i] = values[i % values.length];
    }
    return repeated;
  }
}
