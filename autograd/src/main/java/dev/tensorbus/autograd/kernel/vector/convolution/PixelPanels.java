// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.stream.IntStream;

/// The result pixels of several images, which are the columns of a convolution's matrix product,
/// divided into panels.
///
/// @param columns the number of result pixels of all images
record PixelPanels(int columns, ColumnRuns[] panels) {
  /// Returns the panels of `images` consecutive images.
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

  /// Adds a tile to the images. Row `r` of the tile belongs to `offsets[first + r]`.
  void add(int panel, Slice<float[]> tile, int[] offsets, int first, float[] images) {
    panels[panel].add(tile, offsets, first, images);
  }

  /// Transforms the 4 x 4 patches of a panel, channel by channel. Each patch becomes 16 values, at
  /// a stride of `next`. Whole vectors are stored even if a run is shorter: the surplus lanes are
  /// overwritten by the next run or channel; `next` leaves room for those of the last channel.
  void transform(
      int panel,
      float[] images,
      PolyphaseImage patches,
      int channels,
      Slice<float[]> target,
      int next) {
    ColumnRuns runs = panels[panel];
    int plane = patches.size() / channels;
    for (int channel = 0; channel < channels; channel++) {
      for (int run = 0; run < runs.targets().length; run++) {
        int from = runs.sources()[run] + channel * plane;
        int to = target.start() + channel * COLUMNS + runs.targets()[run];
        Winograd.patches(
            images, from, patches.pitch(), patches.phase(), 1, target.values(), to, next);
      }
    }
  }
}
