// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Combines two graphs of the same computation, recorded with different batch sizes, into one graph
/// for any batch size. Sizes that differ must be linear in the batch size; the combined graph
/// computes them.
public final class DynamicBatch {
  private static final String BATCH = "batch";

  private final Graph small;
  private final Graph large;
  private final int first;
  private final int second;
  private final GraphBuilder builder = new GraphBuilder();
  private final OnnxEmitter emitter;
  private final OnnxValue size;

  /// @param first the batch size of the smaller graph
  /// @param second the batch size of the larger graph
  private DynamicBatch(Graph small, int first, Graph large, int second, int axis) {
    this.small = small;
    this.large = large;
    this.first = first;
    this.second = second;
    small.names().forEach(builder::take);
    for (int i = 0; i < small.inputs().size(); i++) {
      builder.input(merged(small.inputs().get(i), large.inputs().get(i)));
    }
    GraphValue input = small.inputs().getFirst();
    this.emitter = new OnnxEmitter(builder, BATCH, List.of(input.name()));
    this.size =
        operator("Shape")
            .with("start", axis)
            .with("end", axis + 1)
            .of(new OnnxValue.Input(0, input.type(), Shape.SCALAR));
  }

  /// Returns the combined graph.
  ///
  /// @param axis the batch axis of the first input
  /// @throws OnnxException if the graphs differ in anything but sizes that are linear in the batch
  ///     size
  public static Graph of(Graph small, int first, Graph large, int second, int axis) {
    return new DynamicBatch(small, first, large, second, axis).merged();
  }

  private Graph merged() {
    requireAlike();
    small.initializers().forEach((name, tensor) -> enter(name, tensor));
    small.nodes().forEach(builder::node);
    for (int i = 0; i < small.outputs().size(); i++) {
      builder.output(merged(small.outputs().get(i), large.outputs().get(i)));
    }
    return builder.build();
  }

  private void requireAlike() {
    if (!small.initializers().keySet().equals(large.initializers().keySet())
        || small.nodes().size() != large.nodes().size()) {
      throw differs("the forward computation");
    }
    for (int i = 0; i < small.nodes().size(); i++) {
      if (!small.nodes().get(i).equals(large.nodes().get(i))) {
        throw differs(small.nodes().get(i).origin());
      }
    }
  }

  private GraphValue merged(GraphValue a, GraphValue b) {
    List<String> sizes = new ArrayList<>();
    for (int axis = 0; axis < a.sizes().size(); axis++) {
      sizes.add(merged(a.name(), axis, a.sizes().get(axis), b.sizes().get(axis)));
    }
    return new GraphValue(a.name(), a.type(), sizes);
  }

  private String merged(String name, int axis, String a, String b) {
    if (a.equals(b)) {
      return a;
    }
    boolean isBatch = a.equals(Integer.toString(first)) && b.equals(Integer.toString(second));
    return isBatch ? BATCH : name + "_size" + axis;
  }

  /// Adds a constant. If it differs between the graphs, it is computed from the batch size.
  private void enter(String name, Tensor a) {
    Tensor b = large.initializers().get(name);
    if (b == null) {
      throw differs(originOf(name));
    }
    if (isEqual(a, b)) {
      builder.initializer(name, a);
    } else if (a.dtype() == DType.INT64 && a.shape().rank() == 1 && a.shape().equals(b.shape())) {
      alias(name, grown(a.longs(), b.longs(), name));
    } else if (isOneValue(a, b)) {
      Tensor value = a.reshape(-1).slice(0, 0, 1).reshape();
      OnnxValue sizes = grown(longs(a.shape()), longs(b.shape()), name);
      alias(name, operator("Expand").of(new OnnxValue.Constant(value.detach()), sizes));
    } else {
      throw differs(originOf(name));
    }
  }

  private static boolean isEqual(Tensor a, Tensor b) {
    return a.shape().equals(b.shape()) && a.dtype() == b.dtype() && a.heap().equals(b.heap());
  }

  private static long[] longs(Shape shape) {
    return Arrays.stream(shape.toArray()).asLongStream().toArray();
  }

  /// Returns whether both tensors are filled with the same value, such as an initial state of
  /// zeros. Their sizes may differ.
  private static boolean isOneValue(Tensor a, Tensor b) {
    if (a.shape().rank() != b.shape().rank() || a.shape().elements() == 0) {
      return false;
    }
    Tensor value = a.reshape(-1).slice(0, 0, 1).reshape();
    return isEqual(a.detach(), Tensor.full(a.shape(), a.dtype(), value.itemDouble()))
        && isEqual(b.detach(), Tensor.full(b.shape(), a.dtype(), value.itemDouble()));
  }

  /// Returns `constant + slope * batch`, which equals `a` and `b` for the two batch sizes.
  private OnnxValue grown(long[] a, long[] b, String name) {
    long[] slope = new long[a.length];
    long[] constant = new long[a.length];
    for (int i = 0; i < a.length; i++) {
      slope[i] = (b[i] - a[i]) / (second - first);
      constant[i] = a[i] - slope[i] * first;
      if (constant[i] + slope[i] * second != b[i]) {
        throw differs(originOf(name));
      }
    }
    OnnxValue part = operator("Mul").of(size, new OnnxValue.Constant(Tensor.ofLongs(slope)));
    return operator("Add").of(part, new OnnxValue.Constant(Tensor.ofLongs(constant)));
  }

  private void alias(String name, OnnxValue value) {
    List<String> from = List.of(emitter.emit(value));
    builder.node(new GraphNode("Identity", BATCH, from, List.of(name), List.of()));
  }

  private String originOf(String constant) {
    return small.nodes().stream()
        .filter(node -> node.inputs().contains(constant))
        .map(GraphNode::origin)
        .findFirst()
        .orElse("the forward computation");
  }

  private static OnnxException differs(String operation) {
    return new OnnxException(
        operation
            + " depends on the batch size in a way that a model for any batch size cannot express;"
            + " export without withDynamicBatch");
  }
}
