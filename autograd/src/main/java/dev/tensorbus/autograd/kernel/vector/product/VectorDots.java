// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import org.jspecify.annotations.Nullable;

/// Matrix products of a factor with few lines (the thin factor) and a larger factor, where the
/// values of a line are contiguous in both. Examples are a matrix times a vector and a linear layer
/// applied to few rows. Each result is computed as a dot product and added to the value in `c`.
/// Transposing the larger factor for [Tile] would cost more than it saves.
///
/// Four lines of the thin factor are multiplied by four lines of the larger factor at once, with 16
/// accumulators and with 8 loads for 16 multiply-adds, or by two if there are too few registers.
/// The four lines of the larger factor stay in the first-level cache until they have been
/// multiplied by the whole thin factor, so the larger factor is read only once. After that, the
/// lanes of all their accumulators are summed together.
///
/// The order of additions is the same for every value of `c`: lane by lane in the order of the
/// inner index, then the lanes as in [LaneSums#sumEach]. So the results do not depend on the
/// division of lines among threads.
public final class VectorDots {
  /// The number of lines of each factor that are multiplied at once.
  private static final int LINES = 4;

  /// The maximum number of lines of the thin factor. With 20, 24 and 32 rows, multiplication by a
  /// transposed `[1000, 1000]` matrix took 0.72, 0.84 and 0.97 of the time of [VectorMatmul]; with
  /// a `[256, 256]` matrix, it took 0.92, 1 and 1.25.
  private static final int THIN = 24;

  /// The minimum number of inner values for each line of the thin factor. Summing the lanes costs
  /// the same for any number of inner values, so dot products pay off only if there are enough of
  /// them: 16 with one line, 32 with 2, 64 with 4, and 128 with 8.
  private static final int INNER_FOR_LINE = 16;

  private final int inner;
  private final Lines thin;
  private final int thinLines;
  private final Lines large;
  private final float[] c;
  private final int cStart;

  /// The stride between the results of two consecutive lines of the thin factor.
  private final int thinStep;

  /// The stride between the results of two consecutive lines of the larger factor.
  private final int largeStep;

  /// The offset in the scratch space at which the remainders of four lines of the larger factor
  /// begin. A remainder consists of the last values of a line, which do not fill a vector. The
  /// accumulators precede these remainders, and the remainders of the thin factor follow them.
  private final int rests;

  /// Prepares the computation of product `index` of a batch.
  private VectorDots(int index, MatmulShape shape, float[] a, float[] b, float[] c) {
    Lines rows = Lines.rows(shape, a).shifted(index * shape.rows() * shape.inner());
    Lines columns = Lines.columns(shape, b).shifted(index * shape.inner() * shape.columns());
    boolean wide = shape.columns() > shape.rows();
    this.inner = shape.inner();
    this.thin = wide ? rows : columns;
    this.thinLines = Math.min(shape.rows(), shape.columns());
    this.large = wide ? columns : rows;
    this.c = c;
    this.cStart = index * shape.rows() * shape.columns();
    this.thinStep = wide ? shape.columns() : 1;
    this.largeStep = wide ? 1 : shape.columns();
    this.rests = LINES * Panels.padded(thinLines, LINES) * LANES;
  }

  public static boolean suits(MatmulShape shape) {
    boolean adjacentA = !shape.transposeA() || shape.rows() == 1;
    boolean adjacentB = shape.transposeB() || shape.columns() == 1;
    int thin = Math.min(shape.rows(), shape.columns());
    return adjacentA && adjacentB && thin <= THIN && INNER_FOR_LINE * thin <= shape.inner();
  }

  /// Does the same as [VectorMatmul#run] for shapes that [#suits] accepts.
  static void run(
      Parallel parallel,
      int batch,
      MatmulShape shape,
      float[] a,
      float[] b,
      float @Nullable [] bias,
      float[] c) {
    begin(bias, c);
    int lines = Math.max(shape.rows(), shape.columns());
    int met = Panels.padded(Math.min(shape.rows(), shape.columns()), LINES);
    long group = Math.max(1, (long) batch * shape.inner() * LINES * met);
    parallel.divide(
        Math.ceilDiv(lines, LINES),
        (int) Math.max(1, Grid.SMALLEST_RECTANGLE / group),
        (first, end) -> {
          float[] room = new float[(LINES * met + LINES + met) * LANES];
          for (int index = 0; index < batch; index++) {
            new VectorDots(index, shape, a, b, c)
                .add(first * LINES, Math.min(end * LINES, lines), room);
          }
        });
  }

  /// Initializes `c` with the bias, or with zeros.
  private static void begin(float @Nullable [] bias, float[] c) {
    if (bias == null) {
      Arrays.fill(c, 0f);
      return;
    }
    for (int row = 0; row < c.length; row += bias.length) {
      System.arraycopy(bias, 0, c, row, bias.length);
    }
  }

  /// Multiplies the lines of the larger factor from `first` (inclusive) to `end` (exclusive) by all
  /// lines of the thin factor.
  private void add(int first, int end, float[] room) {
    copyRests(thin, 0, thinLines, room, rests + LINES * LANES);
    for (int line = first; line < end; line += LINES) {
      int width = Math.min(LINES, end - line);
      copyRests(large, line, width, room, rests);
      for (int x = 0; x < thinLines; x += LINES) {
        if (thinLines - x == 1) {
          dotLine(x, line, width, room);
        } else {
          dotLines(x, line, width, room);
        }
      }
      LaneSums.sumEach(thinLines * LINES, room);
      addSums(line, width, room);
    }
  }

  /// Copies the remainders of `count` lines, each padded with zeros to a vector. If [#dotTile]
  /// itself used masks, C2 would stop inlining and box every vector.
  private void copyRests(Lines lines, int line, int count, float[] room, int to) {
    int whole = SPECIES.loopBound(inner);
    if (whole == inner) {
      return;
    }
    VectorMask<Float> rest = SPECIES.indexInRange(whole, inner);
    for (int i = 0; i < count; i++) {
      FloatVector.fromArray(SPECIES, lines.values(), lines.at(line + i, whole), rest)
          .intoArray(room, to + i * LANES);
    }
  }

  private void addSums(int line, int width, float[] sums) {
    for (int x = 0; x < thinLines; x++) {
      int to = cStart + x * thinStep + line * largeStep;
      for (int j = 0; j < width; j++) {
        c[to + j * largeStep] += sums[x * LINES + j];
      }
    }
  }

  /// Multiplies up to four lines of the thin factor by up to four lines of the larger factor, lane
  /// by lane. If there are fewer lines, the last one is read repeatedly.
  private void dotLines(int x, int line, int width, float[] room) {
    if (Tile.FITS_REGISTERS) {
      dotTile(x, line, width, room);
    } else {
      dotHalf(x, line, 0, width, room);
      dotHalf(x, line, LINES / 2, width, room);
    }
  }

  private void dotTile(int x, int line, int width, float[] room) {
    float[] a = thin.values();
    float[] b = large.values();
    int height = Math.min(LINES, thinLines - x);
    int a0 = thin.at(x, 0);
    int a1 = thin.at(x + Math.min(1, height - 1), 0);
    int a2 = thin.at(x + Math.min(2, height - 1), 0);
    int a3 = thin.at(x + Math.min(3, height - 1), 0);
    int b0 = large.at(line, 0);
    int b1 = large.at(line + Math.min(1, width - 1), 0);
    int b2 = large.at(line + Math.min(2, width - 1), 0);
    int b3 = large.at(line + Math.min(3, width - 1), 0);
    FloatVector s00 = FloatVector.zero(SPECIES);
    FloatVector s01 = s00;
    FloatVector s02 = s00;
    FloatVector s03 = s00;
    FloatVector s10 = s00;
    FloatVector s11 = s00;
    FloatVector s12 = s00;
    FloatVector s13 = s00;
    FloatVector s20 = s00;
    FloatVector s21 = s00;
    FloatVector s22 = s00;
    FloatVector s23 = s00;
    FloatVector s30 = s00;
    FloatVector s31 = s00;
    FloatVector s32 = s00;
    FloatVector s33 = s00;
    int whole = SPECIES.loopBound(inner);
    for (int p = 0; p < whole; p += LANES) {
      FloatVector y0 = FloatVector.fromArray(SPECIES, b, b0 + p);
      FloatVector y1 = FloatVector.fromArray(SPECIES, b, b1 + p);
      FloatVector y2 = FloatVector.fromArray(SPECIES, b, b2 + p);
      FloatVector y3 = FloatVector.fromArray(SPECIES, b, b3 + p);
      FloatVector x0 = FloatVector.fromArray(SPECIES, a, a0 + p);
      s00 = x0.fma(y0, s00);
      s01 = x0.fma(y1, s01);
      s02 = x0.fma(y2, s02);
      s03 = x0.fma(y3, s03);
      FloatVector x1 = FloatVector.fromArray(SPECIES, a, a1 + p);
      s10 = x1.fma(y0, s10);
      s11 = x1.fma(y1, s11);
      s12 = x1.fma(y2, s12);
      s13 = x1.fma(y3, s13);
      FloatVector x2 = FloatVector.fromArray(SPECIES, a, a2 + p);
      s20 = x2.fma(y0, s20);
      s21 = x2.fma(y1, s21);
      s22 = x2.fma(y2, s22);
      s23 = x2.fma(y3, s23);
      FloatVector x3 = FloatVector.fromArray(SPECIES, a, a3 + p);
      s30 = x3.fma(y0, s30);
      s31 = x3.fma(y1, s31);
      s32 = x3.fma(y2, s32);
      s33 = x3.fma(y3, s33);
    }
    if (whole < inner) {
      int rest = rests + (LINES + x) * LANES;
      FloatVector y0 = FloatVector.fromArray(SPECIES, room, rests);
      FloatVector y1 = FloatVector.fromArray(SPECIES, room, rests + LANES);
      FloatVector y2 = FloatVector.fromArray(SPECIES, room, rests + 2 * LANES);
      FloatVector y3 = FloatVector.fromArray(SPECIES, room, rests + 3 * LANES);
      FloatVector x0 = FloatVector.fromArray(SPECIES, room, rest);
      s00 = x0.fma(y0, s00);
      s01 = x0.fma(y1, s01);
      s02 = x0.fma(y2, s02);
      s03 = x0.fma(y3, s03);
      FloatVector x1 = FloatVector.fromArray(SPECIES, room, rest + LANES);
      s10 = x1.fma(y0, s10);
      s11 = x1.fma(y1, s11);
      s12 = x1.fma(y2, s12);
      s13 = x1.fma(y3, s13);
      FloatVector x2 = FloatVector.fromArray(SPECIES, room, rest + 2 * LANES);
      s20 = x2.fma(y0, s20);
      s21 = x2.fma(y1, s21);
      s22 = x2.fma(y2, s22);
      s23 = x2.fma(y3, s23);
      FloatVector x3 = FloatVector.fromArray(SPECIES, room, rest + 3 * LANES);
      s30 = x3.fma(y0, s30);
      s31 = x3.fma(y1, s31);
      s32 = x3.fma(y2, s32);
      s33 = x3.fma(y3, s33);
    }
    int to = x * LINES * LANES;
    s00.intoArray(room, to);
    s01.intoArray(room, to + LANES);
    s02.intoArray(room, to + 2 * LANES);
    s03.intoArray(room, to + 3 * LANES);
    s10.intoArray(room, to + 4 * LANES);
    s11.intoArray(room, to + 5 * LANES);
    s12.intoArray(room, to + 6 * LANES);
    s13.intoArray(room, to + 7 * LANES);
    s20.intoArray(room, to + 8 * LANES);
    s21.intoArray(room, to + 9 * LANES);
    s22.intoArray(room, to + 10 * LANES);
    s23.intoArray(room, to + 11 * LANES);
    s30.intoArray(room, to + 12 * LANES);
    s31.intoArray(room, to + 13 * LANES);
    s32.intoArray(room, to + 14 * LANES);
    s33.intoArray(room, to + 15 * LANES);
  }

  /// Multiplies up to four lines of the thin factor by the lines `first` and `first + 1` of up to
  /// four lines of the larger factor.
  private void dotHalf(int x, int line, int first, int width, float[] room) {
    float[] a = thin.values();
    float[] b = large.values();
    int height = Math.min(LINES, thinLines - x);
    int a0 = thin.at(x, 0);
    int a1 = thin.at(x + Math.min(1, height - 1), 0);
    int a2 = thin.at(x + Math.min(2, height - 1), 0);
    int a3 = thin.at(x + Math.min(3, height - 1), 0);
    int b0 = large.at(line + Math.min(first, width - 1), 0);
    int b1 = large.at(line + Math.min(first + 1, width - 1), 0);
    FloatVector s00 = FloatVector.zero(SPECIES);
    FloatVector s01 = s00;
    FloatVector s10 = s00;
    FloatVector s11 = s00;
    FloatVector s20 = s00;
    FloatVector s21 = s00;
    FloatVector s30 = s00;
    FloatVector s31 = s00;
    int whole = SPECIES.loopBound(inner);
    for (int p = 0; p < whole; p += LANES) {
      FloatVector y0 = FloatVector.fromArray(SPECIES, b, b0 + p);
      FloatVector y1 = FloatVector.fromArray(SPECIES, b, b1 + p);
      FloatVector x0 = FloatVector.fromArray(SPECIES, a, a0 + p);
      s00 = x0.fma(y0, s00);
      s01 = x0.fma(y1, s01);
      FloatVector x1 = FloatVector.fromArray(SPECIES, a, a1 + p);
      s10 = x1.fma(y0, s10);
      s11 = x1.fma(y1, s11);
      FloatVector x2 = FloatVector.fromArray(SPECIES, a, a2 + p);
      s20 = x2.fma(y0, s20);
      s21 = x2.fma(y1, s21);
      FloatVector x3 = FloatVector.fromArray(SPECIES, a, a3 + p);
      s30 = x3.fma(y0, s30);
      s31 = x3.fma(y1, s31);
    }
    if (whole < inner) {
      int rest = rests + (LINES + x) * LANES;
      FloatVector y0 = FloatVector.fromArray(SPECIES, room, rests + first * LANES);
      FloatVector y1 = FloatVector.fromArray(SPECIES, room, rests + (first + 1) * LANES);
      FloatVector x0 = FloatVector.fromArray(SPECIES, room, rest);
      s00 = x0.fma(y0, s00);
      s01 = x0.fma(y1, s01);
      FloatVector x1 = FloatVector.fromArray(SPECIES, room, rest + LANES);
      s10 = x1.fma(y0, s10);
      s11 = x1.fma(y1, s11);
      FloatVector x2 = FloatVector.fromArray(SPECIES, room, rest + 2 * LANES);
      s20 = x2.fma(y0, s20);
      s21 = x2.fma(y1, s21);
      FloatVector x3 = FloatVector.fromArray(SPECIES, room, rest + 3 * LANES);
      s30 = x3.fma(y0, s30);
      s31 = x3.fma(y1, s31);
    }
    int to = (x * LINES + first) * LANES;
    s00.intoArray(room, to);
    s01.intoArray(room, to + LANES);
    s10.intoArray(room, to + 1 * LINES * LANES);
    s11.intoArray(room, to + 1 * LINES * LANES + LANES);
    s20.intoArray(room, to + 2 * LINES * LANES);
    s21.intoArray(room, to + 2 * LINES * LANES + LANES);
    s30.intoArray(room, to + 3 * LINES * LANES);
    s31.intoArray(room, to + 3 * LINES * LANES + LANES);
  }

  /// Multiplies one line of the thin factor by up to four lines of the larger factor. [#dotLines]
  /// would compute each product four times.
  private void dotLine(int x, int line, int width, float[] room) {
    float[] a = thin.values();
    float[] b = large.values();
    int a0 = thin.at(x, 0);
    int b0 = large.at(line, 0);
    int b1 = large.at(line + Math.min(1, width - 1), 0);
    int b2 = large.at(line + Math.min(2, width - 1), 0);
    int b3 = large.at(line + Math.min(3, width - 1), 0);
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int whole = SPECIES.loopBound(inner);
    for (int p = 0; p < whole; p += LANES) {
      FloatVector y0 = FloatVector.fromArray(SPECIES, b, b0 + p);
      FloatVector y1 = FloatVector.fromArray(SPECIES, b, b1 + p);
      FloatVector y2 = FloatVector.fromArray(SPECIES, b, b2 + p);
      FloatVector y3 = FloatVector.fromArray(SPECIES, b, b3 + p);
      FloatVector x0 = FloatVector.fromArray(SPECIES, a, a0 + p);
      s0 = x0.fma(y0, s0);
      s1 = x0.fma(y1, s1);
      s2 = x0.fma(y2, s2);
      s3 = x0.fma(y3, s3);
    }
    if (whole < inner) {
      int rest = rests + (LINES + x) * LANES;
      FloatVector y0 = FloatVector.fromArray(SPECIES, room, rests);
      FloatVector y1 = FloatVector.fromArray(SPECIES, room, rests + LANES);
      FloatVector y2 = FloatVector.fromArray(SPECIES, room, rests + 2 * LANES);
      FloatVector y3 = FloatVector.fromArray(SPECIES, room, rests + 3 * LANES);
      FloatVector x0 = FloatVector.fromArray(SPECIES, room, rest);
      s0 = x0.fma(y0, s0);
      s1 = x0.fma(y1, s1);
      s2 = x0.fma(y2, s2);
      s3 = x0.fma(y3, s3);
    }
    int to = x * LINES * LANES;
    s0.intoArray(room, to);
    s1.intoArray(room, to + LANES);
    s2.intoArray(room, to + 2 * LANES);
    s3.intoArray(room, to + 3 * LANES);
  }
}
