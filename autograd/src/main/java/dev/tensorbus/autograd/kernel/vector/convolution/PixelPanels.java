// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.stream.IntStream;

/// The pixels of several images' results, panel by panel: the columns of a convolution's product.
///
/// @param columns pixels of all images
record PixelPanels(int columns, ColumnRuns[] panels) {
  /// Those of `images` images that lie one after the other.
  static PixelPanels of(PolyphaseImage polyphase, int images) {
    ConvolutionShape shape = polyphase.shape();
    boolean adjacent = shape.rows().stride() == 1 && polyphase.pitch() == shape.outputWidth();
    int run = adjacent ? shape.outputPixels() : shape.outputWidth();
    int[] rows = adjacent ? new int[1] : polyphase.rowStarts();
    int[] starts =
        IntStream.range(0, images)
            .map(image -> image * polyphase.size())
            .flatMap(start -> IntStream.of(rows).map(row -> start + row))
            .toArray();
    int columns = images * shape.outputPixels();
    ColumnRuns[] panels =
        IntStream.range(0, Math.ceilDiv(columns, COLUMNS))
            .mapToObj(panel -> ColumnRuns.of(panel * COLUMNS, columns, run, starts))
            .toArray(ColumnRuns[]::new);
    return new PixelPanels(columns, panels);
  }

  int count() {
    return panels.length;
  }

  void pack(int panel, Slice<float[]> x, int[] offsets, int p, int depth, Slice<float[]> target) {
    panels[panel].pack(x.values(), x.start(), offsets, p, depth, target.values(), target.start());
  }

  /// Adds a tile, whose rows belong to `offsets` from `first` on, to images.
  void add(int panel, Slice<float[]> tile, int[] offsets, int first, float[] images) {
    panels[panel].add(tile, offsets, first, images);
  }
}
