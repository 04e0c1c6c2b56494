// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.attention;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionMask;
import dev.tensorbus.autograd.kernel.attention.AttentionShape;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The sources that each block of targets attends to, according to the mask. Sources before the
/// first and after the last of these are skipped; with a causal mask, this saves nearly half of the
/// scores.
record VisibleSources(
    AttentionShape shape, @Nullable AttentionMask<float[]> mask, Bounds[] bounds) {
  /// The range of sources that a block of targets attends to.
  ///
  /// @param first the first source that any target attends to
  /// @param open the end (exclusive) of the run of sources, starting at `first`, whose scores the
  ///     mask leaves unchanged for all targets; the run is empty if this is not above `first`
  /// @param end the index after the last source that any target attends to
  record Bounds(int first, int open, int end) {
    /// Returns the bounds of one row of the mask. If it hides all sources, the softmax is
    /// undefined; the bounds then include all sources, so that the results are NaN.
    static Bounds of(AttentionMask<float[]> mask, int row, int sources) {
      int step = mask.sourceStep();
      int first = 0;
      while (first < sources && hides(mask, row + first * step)) {
        first++;
      }
      if (first == sources) {
        return new Bounds(0, 0, sources);
      }
      int open = first;
      while (open < sources && keeps(mask, row + open * step)) {
        open++;
      }
      int end = sources;
      while (hides(mask, row + (end - 1) * step)) {
        end--;
      }
      return new Bounds(first, open, end);
    }

    /// Returns bounds that include the visible sources of two rows.
    Bounds with(Bounds other) {
      int both = first == other.first ? Math.min(open, other.open) : 0;
      return new Bounds(Math.min(first, other.first), both, Math.max(end, other.end));
    }
  }

  static VisibleSources of(Parallel parallel, AttentionInputs<float[]> inputs) {
    AttentionShape shape = inputs.shape();
    AttentionMask<float[]> mask = inputs.mask();
    int blocks = Math.ceilDiv(shape.targets(), COLUMNS);
    Bounds[] bounds = new Bounds[mask == null ? 0 : shape.items() * blocks];
    if (mask != null) {
      Map<Integer, Integer> seen = new HashMap<>();
      for (int item = 0; item < shape.items(); item++) {
        Integer same = seen.putIfAbsent(mask.starts()[item], item);
        if (same == null) {
          int at = item;
          parallel.divide(
              blocks,
              Math.max(1, SMALLEST_SHARE / shape.sources()),
              (first, end) -> {
                for (int block = first; block < end; block++) {
                  bounds[at * blocks + block] = bounds(shape, mask, at, block);
                }
              });
        } else {
          System.arraycopy(bounds, same * blocks, bounds, item * blocks, blocks);
        }
      }
    }
    return new VisibleSources(shape, mask, bounds);
  }

  /// The number of mask values that makes waking a thread worthwhile. In each row, only two
  /// stretches are read: from the start to the end of the first run of unchanged scores, and from
  /// the end back to the last visible source.
  private static final int SMALLEST_SHARE = 1 << 14;

  private static Bounds bounds(
      AttentionShape shape, AttentionMask<float[]> mask, int item, int block) {
    int target = block * COLUMNS;
    int last = mask.targetStep() == 0 ? target : Math.min(shape.targets(), target + COLUMNS) - 1;
    Bounds bounds = Bounds.of(mask, mask.at(item, target, 0), shape.sources());
    while (target < last) {
      target++;
      bounds = bounds.with(Bounds.of(mask, mask.at(item, target, 0), shape.sources()));
    }
    return bounds;
  }

  /// Returns the range of sources that a block of an item's targets attends to.
  Bounds bounds(int item, int block) {
    int sources = shape.sources();
    return mask == null
        ? new Bounds(0, sources, sources)
        : bounds[item * Math.ceilDiv(shape.targets(), COLUMNS) + block];
  }

  private static boolean hides(AttentionMask<float[]> mask, int at) {
    return mask.sees() == null
        ? Objects.requireNonNull(mask.added())[at] == Float.NEGATIVE_INFINITY
        : !mask.sees()[at];
  }

  private static boolean keeps(AttentionMask<float[]> mask, int at) {
    return mask.sees() == null ? Objects.requireNonNull(mask.added())[at] == 0 : mask.sees()[at];
  }

  /// Applies the mask to `rows` rows of scores, with a row for each source and a column for each
  /// target.
  void apply(int item, int target, int present, int source, int rows, float[] scores, int start) {
    AttentionMask<float[]> given = Objects.requireNonNull(mask);
    for (int column = 0; column < present; column++) {
      int at = given.at(item, target + column, source);
      int to = start + column;
      if (given.sees() == null) {
        float[] added = Objects.requireNonNull(given.added());
        for (int row = 0; row < rows; row++) {
          scores[to + row * COLUMNS] += added[at + row * given.sourceStep()];
        }
      } else {
        boolean[] sees = given.sees();
        for (int row = 0; row < rows; row++) {
          if (!sees[at + row * given.sourceStep()]) {
            scores[to + row * COLUMNS] = Float.NEGATIVE_INFINITY;
          }
        }
      }
    }
  }
}
