// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.Tile.ROWS;

import java.util.stream.IntStream;

/// Convolution as a product of packed panels, one image a task.
///
/// The left factor, the filters, is packed once; the right one is packed a panel at a time from
/// the image itself and used while it is in the first-level cache.
final class VectorConvolution {
  /// Filter values per packing: a panel of 40 KiB at 512 bits.
  private static final int DEPTH = 320;

  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final int inner;
  private final int pixels;

  /// For each filter value: where in an image it meets the first result.
  private final int[] tapOffsets;

  /// For each row of a result: where in a channel of the image its first value's window begins.
  private final int[] rowStarts;

  VectorConvolution(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.inner = shape.filterSize();
    this.pixels = shape.outputPixels();
    this.tapOffsets = IntStream.range(0, inner).map(shape::offset).toArray();
    this.rowStarts =
        IntStream.range(0, shape.outputHeight()).map(row -> row * shape.width()).toArray();
  }

  /// See [Kernels#convolution].
  void run(float[] x, float[] weight, float[] y) {
    Pieces[] panels = pixelPanels();
    Lines filters = new Lines(weight, 0, inner, 1);
    Scratch.borrow(
        Panels.length(shape.filters(), inner, ROWS),
        packed -> {
          Panels.packAll(filters, shape.filters(), inner, ROWS, packed, 0);
          parallel.run(shape.batch(), image -> image(image, x, packed, panels, y));
        });
  }

  /// The columns of the product, one for each pixel of a result, panel by panel.
  private Pieces[] pixelPanels() {
    return IntStream.range(0, Panels.padded(pixels, COLUMNS) / COLUMNS)
        .mapToObj(panel -> Pieces.of(panel * COLUMNS, pixels, shape.outputWidth(), rowStarts))
        .toArray(Pieces[]::new);
  }

  private void image(int image, float[] x, float[] filters, Pieces[] panels, float[] y) {
    int start = image * shape.channels() * shape.pixels();
    int result = image * shape.filters() * pixels;
    Scratch.borrow(
        DEPTH * COLUMNS,
        b -> {
          for (int panel = 0; panel < panels.length; panel++) {
            for (int p = 0; p < inner; p += DEPTH) {
              int depth = Math.min(DEPTH, inner - p);
              panels[panel].pack(x, start, tapOffsets, p, depth, b);
              addTiles(depth, filters, p, b, panel * COLUMNS, result, y);
            }
          }
        });
  }

  /// Adds one panel of pixels, filter values from `p` on, to the results of one image.
  private void addTiles(
      int depth, float[] filters, int p, float[] b, int pixel, int result, float[] y) {
    for (int filter = 0; filter < shape.filters(); filter += ROWS) {
      int corner = result + filter * pixels + pixel;
      int a = filter * inner + p * ROWS;
      Tile.multiplyAddPart(
          depth, filters, a, b, 0, y, corner, pixels, shape.filters() - filter, pixels - pixel);
    }
  }
}
