// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Element;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Operators that select values by index, return indices or sizes, or create and convert values.
final class Indexing {
  private Indexing() {}

  static void addTo(OperatorTable table) {
    selection(table);
    indices(table);
    sources(table);
  }

  private static void selection(OperatorTable table) {
    table.learned("Gather", Indexing::gather);
    table.add("GatherElements", Indexing::gatherElements);
    table.add("ScatterElements", Indexing::scatterElements);
    table.add("Compress", Indexing::compress);
  }

  private static Tensor gather(NodeCall call) {
    Tensor x = call.x();
    Tensor index = call.y();
    int axis = x.shape().axis("Gather", call.integer("axis", 0));
    int[] before = x.shape().toArray();
    int[] sizes = new int[before.length - 1 + index.shape().rank()];
    System.arraycopy(before, 0, sizes, 0, axis);
    System.arraycopy(index.shape().toArray(), 0, sizes, axis, index.shape().rank());
    int rest = before.length - 1 - axis;
    System.arraycopy(before, axis + 1, sizes, sizes.length - rest, rest);
    return x.indexSelect(axis, counted(index, before[axis]).reshape(-1)).reshape(sizes);
  }

  /// Returns an index in which negative values, which count from the end, are replaced.
  private static Tensor counted(Tensor index, int size) {
    boolean isNegative = Arrays.stream(index.longs()).anyMatch(value -> value < 0);
    if (!isNegative) {
      return index;
    }
    Tensor number = index.to(DType.FLOAT64);
    return number.add(number.lt(0).to(DType.FLOAT64).scale(size)).to(DType.INT64);
  }

  private static Tensor gatherElements(NodeCall call) {
    int axis = call.integer("axis", 0);
    return call.x().gather(axis, counted(call.y(), call.x().shape().size(axis)));
  }

  private static Tensor scatterElements(NodeCall call) {
    int axis = call.integer("axis", 0);
    Tensor x = call.x();
    Tensor index = counted(call.y(), x.shape().size(axis));
    Tensor values = call.input(2);
    return switch (call.text("reduction", "none")) {
      case "add" -> x.scatterAdd(axis, index, values);
      case "none" -> {
        Tensor ones = Tensor.full(values.shape(), x.dtype(), 1);
        Tensor zeros = Tensor.full(x.shape(), x.dtype(), 0);
        Tensor isSet = zeros.scatterAdd(axis, index, ones).gt(0);
        yield zeros.scatterAdd(axis, index, values).where(isSet, x);
      }
      default -> throw call.unsupported("reduction " + call.text("reduction", "none"));
    };
  }

  private static Tensor compress(NodeCall call) {
    Tensor x = call.has("axis") ? call.x() : call.x().reshape(-1);
    int axis = call.integer("axis", 0);
    int missing = x.shape().size(axis) - call.y().shape().elements();
    return x.indexSelect(axis, missing > 0 ? call.y().pad(0, 0, missing, 0) : call.y());
  }

  private static void indices(OperatorTable table) {
    table.add("ArgMax", call -> best(call, call.x()));
    table.add("ArgMin", call -> best(call, call.x().detach().to(DType.FLOAT64).neg()));
    table.add("TopK", Operator.Weights.NONE, Indexing::topK);
    table.add("Unique", Operator.Weights.NONE, Indexing::unique);
    table.add("NonZero", Indexing::nonZero);
    table.add("OneHot", Indexing::oneHot);
  }

  private static Tensor best(NodeCall call, Tensor x) {
    if (call.flag("select_last_index", false)) {
      throw call.unsupported("select_last_index");
    }
    int axis = call.integer("axis", 0);
    Tensor numbers = x.dtype().isFloating() ? x : x.to(DType.FLOAT64);
    Tensor index = numbers.argmax(axis);
    return call.flag("keepdims", true) ? index.unsqueeze(axis) : index;
  }

  private static List<Tensor> topK(NodeCall call) {
    Tensor.Sorted top =
        call.x().topk(call.ints(1)[0], call.integer("axis", -1), call.flag("largest", true));
    return List.of(top.values(), top.indices());
  }

  private static List<Tensor> unique(NodeCall call) {
    if (call.has("axis") || !call.flag("sorted", true)) {
      throw call.unsupported("anything but the sorted values of the whole tensor");
    }
    Tensor.Unique unique = call.x().unique();
    Tensor inverse = unique.inverse().reshape(-1);
    long[] group = inverse.longs();
    long[] firsts = new long[unique.counts().shape().elements()];
    for (int i = group.length - 1; i >= 0; i--) {
      firsts[(int) group[i]] = i;
    }
    return List.of(unique.values(), Tensor.ofLongs(firsts), inverse, unique.counts());
  }

  private static Tensor nonZero(NodeCall call) {
    boolean[] isSet = call.x().detach().to(DType.BOOL).booleans();
    int[] found = IntStream.range(0, isSet.length).filter(i -> isSet[i]).toArray();
    Shape shape = call.x().shape();
    long[] places = new long[shape.rank() * found.length];
    for (int i = 0; i < found.length; i++) {
      for (int axis = shape.rank() - 1, rest = found[i]; axis >= 0; axis--) {
        places[axis * found.length + i] = rest % shape.size(axis);
        rest /= shape.size(axis);
      }
    }
    return Tensor.of(Shape.of(shape.rank(), found.length), places);
  }

  private static Tensor oneHot(NodeCall call) {
    int depth = (int) call.number(1, 0);
    int axis = call.integer("axis", -1);
    NodeCall.requireSizes(call.x().shape().elements(), depth);
    Tensor classes = Tensor.ofLongs(IntStream.range(0, depth).asLongStream().toArray());
    Tensor hot = counted(call.x().to(DType.INT64), depth).unsqueeze(-1).eq(classes);
    Tensor off = call.input(2).slice(0, 0, 1);
    Tensor on = call.input(2).slice(0, 1, 2);
    Tensor last = Elementwise.where(hot, on, off);
    return axis == -1 ? last : movedTo(last, axis);
  }

  private static Tensor movedTo(Tensor x, int axis) {
    int last = x.shape().rank() - 1;
    int target = x.shape().axis("OneHot", axis);
    return x.permute(
        IntStream.range(0, last + 1)
            .map(i -> i < target ? i : i == target ? last : i - 1)
            .toArray());
  }

  private static void sources(OperatorTable table) {
    table.add("Shape", Indexing::shape);
    table.add("Size", call -> Tensor.scalar((long) call.x().shape().elements()));
    table.add("Constant", Indexing::constant);
    table.add("ConstantOfShape", Indexing::constantOfShape);
    table.add("Range", Indexing::range);
    table.passing("Cast", Indexing::cast);
    table.passing("CastLike", call -> call.x().to(call.y().dtype()));
  }

  /// Shorter integers are int64 here, so a value that would wrap around in ONNX is refused.
  private static Tensor cast(NodeCall call) {
    Element to = Element.of(call.integer("to", 0));
    Tensor x = call.x().to(to.computed());
    if (x.dtype() == DType.INT64) {
      to.require(x.longs());
    }
    return x;
  }

  private static Tensor shape(NodeCall call) {
    int[] sizes = call.x().shape().toArray();
    int start = bound(call.integer("start", 0), sizes.length);
    int end = bound(call.integer("end", sizes.length), sizes.length);
    int[] some = Arrays.copyOfRange(sizes, start, Math.max(start, end));
    return Tensor.ofLongs(Arrays.stream(some).asLongStream().toArray());
  }

  private static int bound(int axis, int rank) {
    return Math.clamp(axis < 0 ? (long) axis + rank : axis, 0, rank);
  }

  private static Tensor constant(NodeCall call) {
    if (call.has("value_int")) {
      return Tensor.scalar(call.longInteger("value_int"));
    }
    if (call.has("value_float")) {
      return Tensor.scalar((float) call.real("value_float", 0));
    }
    if (call.has("value_ints")) {
      return Tensor.ofLongs(
          call.list("value_ints").stream().mapToLong(value -> (Long) value).toArray());
    }
    if (call.has("value_floats")) {
      return call.reals("value_floats");
    }
    if (call.has("value")) {
      return call.tensor("value");
    }
    throw call.unsupported("a constant that is not made of numbers");
  }

  private static Tensor constantOfShape(NodeCall call) {
    Shape shape = Shape.of(NodeCall.requireSizes(call.ints(0)));
    Tensor value = call.has("value") ? call.tensor("value") : Tensor.zeros(1);
    return Tensor.full(shape, value.dtype(), value.reshape().itemDouble());
  }

  private static Tensor range(NodeCall call) {
    double start = call.number(0, 0);
    double step = call.number(2, 1);
    double count = Math.max(0, Math.ceil((call.number(1, 0) - start) / step));
    int[] sizes = NodeCall.requireSizes((int) count);
    double[] values = new double[sizes[0]];
    Arrays.setAll(values, i -> start + i * step);
    return Tensor.of(values).to(call.x().dtype());
  }
}
