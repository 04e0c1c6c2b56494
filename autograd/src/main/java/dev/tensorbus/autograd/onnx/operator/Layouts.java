// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Operators that keep values and change their shape, order or number.
final class Layouts {
  private Layouts() {}

  static void addTo(OperatorTable table) {
    table.passing("Identity", NodeCall::x);
    table.passing("Reshape", Layouts::reshape);
    table.passing("Flatten", Layouts::flatten);
    table.passing("Squeeze", Layouts::squeeze);
    table.passing("Unsqueeze", Layouts::unsqueeze);
    table.passing("Transpose", Layouts::transpose);
    table.passing("Expand", Layouts::expand);
    table.passing("Tile", Layouts::tile);
    table.passing("Concat", call -> Tensor.concatenate(call.all(), call.integer("axis", 0)));
    table.add("Split", Operator.Weights.PASSED_ON, Layouts::split);
    table.passing("Slice", Layouts::slice);
    table.add("Pad", Layouts::pad);
    table.add("DepthToSpace", Layouts::depthToSpace);
    table.add("Trilu", Layouts::trilu);
  }

  private static Tensor reshape(NodeCall call) {
    int[] sizes = call.ints(1);
    boolean isKept = !call.flag("allowzero", false);
    for (int axis = 0; axis < sizes.length && isKept; axis++) {
      sizes[axis] = sizes[axis] == 0 ? call.x().shape().size(axis) : sizes[axis];
    }
    return call.x().reshape(sizes);
  }

  private static Tensor flatten(NodeCall call) {
    int[] sizes = call.x().shape().toArray();
    int given = call.integer("axis", 1);
    int axis = given < 0 ? given + sizes.length : given;
    int rows = Shape.of(Arrays.copyOf(sizes, axis)).elements();
    int columns = Shape.of(Arrays.copyOfRange(sizes, axis, sizes.length)).elements();
    return call.x().reshape(rows, columns);
  }

  private static Tensor squeeze(NodeCall call) {
    Shape shape = call.x().shape();
    int[] ones = IntStream.range(0, shape.rank()).filter(i -> shape.size(i) == 1).toArray();
    Tensor x = call.x();
    for (int axis : descending(shape.rank(), call.axes(1, ones))) {
      x = x.squeeze(axis);
    }
    return x;
  }

  private static Tensor unsqueeze(NodeCall call) {
    int[] axes = call.axes(1);
    Tensor x = call.x();
    for (int axis : reversed(descending(x.shape().rank() + axes.length, axes))) {
      x = x.unsqueeze(axis);
    }
    return x;
  }

  private static int[] descending(int rank, int... axes) {
    return reversed(
        Arrays.stream(axes).map(axis -> axis < 0 ? axis + rank : axis).sorted().toArray());
  }

  private static int[] reversed(int... numbers) {
    return IntStream.range(0, numbers.length).map(i -> numbers[numbers.length - 1 - i]).toArray();
  }

  private static Tensor transpose(NodeCall call) {
    int rank = call.x().shape().rank();
    return call.x().permute(call.integers("perm", reversed(IntStream.range(0, rank).toArray())));
  }

  /// Either shape may have more axes; a size of 1 in either of them takes that of the other.
  private static Tensor expand(NodeCall call) {
    int[] from = call.x().shape().toArray();
    int[] to = call.ints(1);
    int[] sizes = new int[Math.max(from.length, to.length)];
    for (int back = 1; back <= sizes.length; back++) {
      int old = back > from.length ? 1 : from[from.length - back];
      int wanted = back > to.length ? 1 : to[to.length - back];
      sizes[sizes.length - back] = wanted == 1 ? old : wanted;
    }
    return call.x().expand(NodeCall.requireSizes(sizes));
  }

  private static Tensor tile(NodeCall call) {
    int[] repeats = call.ints(1);
    Tensor x = call.x();
    for (int axis = 0; axis < repeats.length; axis++) {
      int[] sizes = x.shape().toArray();
      int[] repeated = x.unsqueeze(axis).shape().toArray();
      repeated[axis] = repeats[axis];
      sizes[axis] = Math.multiplyExact(sizes[axis], repeats[axis]);
      x = x.unsqueeze(axis).expand(NodeCall.requireSizes(repeated)).reshape(sizes);
    }
    return x;
  }

  private static List<Tensor> split(NodeCall call) {
    Tensor x = call.x();
    int axis = call.integer("axis", 0);
    int size = x.shape().size(axis);
    int count = call.node().outputs().size();
    int each = Math.ceilDiv(size, count);
    int[] sizes = call.has(1) ? call.ints(1) : new int[count];
    if (!call.has(1)) {
      Arrays.fill(sizes, each);
      sizes[count - 1] = size - (count - 1) * each;
    }
    if (sizes.length != count || Arrays.stream(sizes).asLongStream().sum() != size) {
      throw new IllegalArgumentException(
          "the sizes %s do not split %d values into %d outputs"
              .formatted(Arrays.toString(sizes), size, count));
    }
    List<Tensor> parts = new ArrayList<>();
    int start = 0;
    for (int part : sizes) {
      parts.add(x.slice(axis, start, start + part));
      start += part;
    }
    return parts;
  }

  private static Tensor slice(NodeCall call) {
    int[] starts = call.ints(1);
    int[] ends = call.ints(2);
    int[] axes = call.axes(3, IntStream.range(0, starts.length).toArray());
    int[] steps =
        call.has(4) ? call.ints(4) : IntStream.range(0, axes.length).map(_ -> 1).toArray();
    Tensor x = call.x();
    for (int i = 0; i < axes.length; i++) {
      x = sliced(x, axes[i], starts[i], ends[i], steps[i]);
    }
    return x;
  }

  private static Tensor sliced(Tensor x, int axis, int start, int end, int step) {
    int size = x.shape().size(axis);
    if (step > 0) {
      int first = Math.clamp(fromStart(start, size), 0, size);
      int after = Math.clamp(fromStart(end, size), first, size);
      return step == 1 ? x.slice(axis, first, after) : taken(x, axis, first, after, step);
    }
    int first = Math.clamp(fromStart(start, size), -1, size - 1);
    int after = Math.clamp(fromStart(end, size), -1, first);
    boolean isWhole = step == -1 && first == size - 1 && after == -1;
    return isWhole ? x.flip(axis) : taken(x, axis, first, after, step);
  }

  private static long fromStart(int index, int size) {
    return index < 0 ? (long) index + size : index;
  }

  private static Tensor taken(Tensor x, int axis, int first, int after, int step) {
    if (step == 0) {
      throw new IllegalArgumentException("the step is 0");
    }
    long[] indices = new long[Math.ceilDiv(after - first, step)];
    Arrays.setAll(indices, i -> first + (long) i * step);
    return x.indexSelect(axis, Tensor.ofLongs(indices));
  }

  private static Tensor pad(NodeCall call) {
    String mode = call.text("mode", "constant");
    int[] pads = call.ints(1);
    double value = call.number(2, 0);
    int[] axes = call.axes(3, IntStream.range(0, call.x().shape().rank()).toArray());
    Tensor x = call.x();
    for (int i = 0; i < axes.length; i++) {
      x = padded(x, axes[i], pads[i], pads[i + axes.length], mode, value);
    }
    return x;
  }

  /// A negative number of values is removed.
  private static Tensor padded(
      Tensor x, int axis, int before, int after, String mode, double value) {
    int size = x.shape().size(axis);
    int start = Math.max(0, -before);
    Tensor kept = x.slice(axis, start, size - Math.max(0, -after));
    int more = Math.max(0, before);
    int end = Math.max(0, after);
    if (more == 0 && end == 0) {
      return kept;
    }
    int[] sizes = kept.shape().toArray();
    int old = kept.shape().size(axis);
    sizes[x.shape().axis("Pad", axis)] = Math.addExact(Math.addExact(old, more), end);
    NodeCall.requireSizes(sizes);
    if (mode.equals("constant")) {
      return kept.pad(axis, more, end, value);
    }
    long[] indices = new long[old + more + end];
    for (int i = 0; i < indices.length; i++) {
      int index = i - more;
      indices[i] =
          switch (mode) {
            case "edge" -> Math.clamp(index, 0, old - 1);
            case "reflect" -> mirrored(index, old);
            case "wrap" -> Math.floorMod(index, old);
            default -> throw new IllegalArgumentException("mode " + mode + " is not supported");
          };
    }
    return kept.indexSelect(axis, Tensor.ofLongs(indices));
  }

  /// Returns the index that an index beyond the ends shows in a mirror.
  private static long mirrored(int index, int size) {
    int period = Math.max(1, 2 * (size - 1));
    int inside = Math.floorMod(index, period);
    return Math.min(inside, period - inside);
  }

  private static Tensor depthToSpace(NodeCall call) {
    int[] s = call.x().shape().toArray();
    int block = call.integer("blocksize", 1);
    int channels = s[1] / Math.multiplyExact(block, block);
    return call.text("mode", "DCR").equals("DCR")
        ? call.x()
            .reshape(s[0], block, block, channels, s[2], s[3])
            .permute(0, 3, 4, 1, 5, 2)
            .reshape(s[0], channels, s[2] * block, s[3] * block)
        : call.x()
            .reshape(s[0], channels, block, block, s[2], s[3])
            .permute(0, 1, 4, 2, 5, 3)
            .reshape(s[0], channels, s[2] * block, s[3] * block);
  }

  private static Tensor trilu(NodeCall call) {
    int diagonal = (int) call.number(1, 0);
    Tensor x = call.x().dtype().isFloating() ? call.x() : call.x().to(DType.FLOAT64);
    return (call.flag("upper", true) ? x.triu(diagonal) : x.tril(diagonal)).to(call.x().dtype());
  }
}
