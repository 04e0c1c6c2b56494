// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OrtException;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.file.ProtoWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Attributes and inputs that few models have: ours computes the same as ONNX Runtime, or refuses.
final class RareAttributesTest {
  private static final Tensor ROWS = Tensor.of(Shape.of(3, 2), new float[] {-3, 2, 0.5f, 4, 0, 0});
  private static final Tensor IMAGES =
      Tensor.of(Shape.of(1, 1, 2, 5), new float[] {1, 5, 2, 8, 3, 9, 4, 7, 6, 0});
  private static final Tensor NUMBER = Tensor.scalar(-3f);
  private static final Tensor INFINITE =
      Tensor.of(new float[] {Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1, Float.NaN});

  @TempDir private Path folder;

  /// One node.
  ///
  /// @param domain empty for ONNX's own
  /// @param attributes integers, floats, strings, or lists of one of them
  /// @param inputs null for an optional input that is absent
  private record Node(
      String domain,
      String operator,
      Map<String, Object> attributes,
      List<@Nullable Tensor> inputs) {
    @Override
    public String toString() {
      return operator + " " + attributes;
    }

    /// A model without inputs, whose output `y` is the node's result as float32 values.
    byte[] model() {
      return new ProtoWriter()
          .number(1, 8)
          .message(7, this::graph)
          .message(8, set -> set.text(1, "").number(2, 19))
          .message(8, set -> set.text(1, "ai.onnx.ml").number(2, 1))
          .toByteArray();
    }

    private void graph(ProtoWriter graph) {
      graph.message(1, this::node);
      graph.message(
          1,
          cast ->
              cast.text(1, "r")
                  .text(2, "y")
                  .text(4, "Cast")
                  .message(5, to -> to.text(1, "to").number(3, 1).number(20, 2)));
      for (int i = 0; i < inputs.size(); i++) {
        Tensor input = inputs.get(i);
        String name = "i" + i;
        if (input != null) {
          graph.message(5, writer -> write(writer, name, input));
        }
      }
      graph.message(12, y -> y.text(1, "y"));
    }

    private void node(ProtoWriter node) {
      for (int i = 0; i < inputs.size(); i++) {
        node.text(1, inputs.get(i) == null ? "" : "i" + i);
      }
      node.text(2, "r").text(4, operator).text(7, domain);
      attributes.forEach((name, value) -> node.message(5, a -> write(a.text(1, name), value)));
    }

    private static void write(ProtoWriter attribute, Object value) {
      switch (value) {
        case Long number -> attribute.number(3, number).number(20, 2);
        case String text -> attribute.text(4, text).number(20, 3);
        case List<?> list -> {
          list.forEach(each -> writeElement(attribute, each));
          attribute.number(20, list.getFirst() instanceof Long ? 7 : 8);
        }
        default -> throw new IllegalArgumentException("attribute " + value);
      }
    }

    private static void writeElement(ProtoWriter attribute, Object element) {
      if (element instanceof Long number) {
        attribute.number(8, number);
      } else {
        attribute.text(9, (String) element);
      }
    }

    private static void write(ProtoWriter writer, String name, Tensor tensor) {
      Arrays.stream(tensor.shape().toArray()).forEach(size -> writer.number(1, size));
      boolean isInteger = tensor.dtype() == DType.INT64;
      int count = tensor.shape().elements();
      ByteBuffer bytes =
          ByteBuffer.allocate(count * tensor.dtype().bytes()).order(ByteOrder.LITTLE_ENDIAN);
      if (isInteger) {
        bytes.asLongBuffer().put(tensor.longs());
      } else {
        bytes.asFloatBuffer().put(tensor.values());
      }
      writer.number(2, isInteger ? 7 : 1).text(8, name).raw(9, bytes.array());
    }
  }

  private static Node node(
      String operator, Map<String, Object> attributes, @Nullable Tensor... inputs) {
    return new Node("", operator, attributes, Arrays.asList(inputs));
  }

  static Stream<Node> computed() {
    List<Node> nodes = new ArrayList<>();
    Tensor tenth = Tensor.of(new float[] {0.1f});
    nodes.add(node("Mod", Map.of("fmod", 1L), Tensor.of(new float[] {5.1f, -6, 0.3f}), tenth));
    nodes.add(node("Mod", Map.of(), Tensor.ofLongs(7, -7), Tensor.ofLongs(3, 3)));
    nodes.add(node("IsInf", Map.of("detect_negative", 0L), INFINITE));
    nodes.add(node("IsInf", Map.of("detect_positive", 0L), INFINITE));
    nodes.add(node("IsInf", Map.of("detect_positive", 0L, "detect_negative", 0L), INFINITE));
    for (String norm : List.of("L1", "L2", "SumSquare", "Sum", "Max", "Prod")) {
      nodes.add(node("Reduce" + norm, Map.of(), NUMBER));
      nodes.add(node("Reduce" + norm, Map.of("noop_with_empty_axes", 1L), ROWS));
      nodes.add(node("Reduce" + norm, Map.of("keepdims", 0L), ROWS, Tensor.ofLongs(-1)));
    }
    for (String mode : List.of("constant", "edge", "reflect", "wrap")) {
      nodes.add(node("Pad", Map.of("mode", mode), ROWS, Tensor.ofLongs(1, 0, 2, 1)));
      nodes.add(node("Pad", Map.of("mode", mode), ROWS, Tensor.ofLongs(-1, 0, 0, 1)));
    }
    nodes.add(node("Constant", Map.of("value_int", 1L << 40)));
    nodes.add(node("Constant", Map.of("value_ints", List.of(1L << 40, Long.MIN_VALUE))));
    for (long p = 1; p <= 2; p++) {
      nodes.add(node("LpNormalization", Map.of("p", p), ROWS));
    }
    for (String norm : List.of("MAX", "L1", "L2")) {
      nodes.add(new Node("ai.onnx.ml", "Normalizer", Map.of("norm", norm), List.of(ROWS)));
    }
    nodes.add(
        node(
            "Slice",
            Map.of(),
            IMAGES,
            Tensor.ofLongs(-1, 0),
            Tensor.ofLongs(Long.MIN_VALUE, Long.MAX_VALUE),
            Tensor.ofLongs(-1, 2),
            Tensor.ofLongs(-2, 2)));
    nodes.add(recurrence("GRU", 3, Map.of("linear_before_reset", 0L)));
    nodes.add(recurrence("GRU", 3, Map.of("linear_before_reset", 1L)));
    nodes.add(recurrence("GRU", 3, Map.of("activations", twice("Sigmoid", "Tanh"))));
    nodes.add(recurrence("LSTM", 4, Map.of("activations", twice("Sigmoid", "Tanh", "Tanh"))));
    nodes.add(recurrence("RNN", 1, Map.of("activations", twice("Tanh"))));
    return nodes.stream();
  }

  private static List<String> twice(String... activations) {
    return Stream.of(activations, activations).flatMap(Arrays::stream).toList();
  }

  /// A network in both directions, with biases and a first hidden state.
  private static Node recurrence(String operator, int gates, Map<String, Object> more) {
    SplittableRandom random = new SplittableRandom(1);
    Map<String, Object> attributes = new HashMap<>(more);
    attributes.putAll(Map.of("hidden_size", 5L, "direction", "bidirectional"));
    return node(
        operator,
        attributes,
        Tensor.randn(random, 3, 2, 4),
        Tensor.randn(random, 2, 5 * gates, 4),
        Tensor.randn(random, 2, 5 * gates, 5),
        Tensor.randn(random, 2, 10 * gates),
        null,
        Tensor.randn(random, 2, 2, 5));
  }

  @ParameterizedTest
  @MethodSource("computed")
  void isComputedAsInOnnxRuntime(Node node) throws IOException, OrtException {
    Path file = Files.write(folder.resolve("model.onnx"), node.model());
    Tensor expected = OnnxModelTest.inOnnxRuntime(file).getFirst();
    Tensor actual = OnnxModel.load(file).forwardAll(List.of()).getFirst().detach();
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.values()).containsExactly(expected.values(), Offset.offset(1e-6f));
  }

  /// A node, and what the error says.
  private record Refused(Node node, String message) {
    @Override
    public String toString() {
      return node.toString();
    }
  }

  static Stream<Refused> refused() {
    List<Refused> cases = new ArrayList<>();
    layouts(cases);
    resizing(cases);
    recurrences(cases);
    Tensor volumes = Tensor.ones(1, 1, 3, 3, 3);
    add(cases, node("Conv", Map.of("auto_pad", "SAME_UPPER"), volumes, volumes), "auto_pad");
    Map<String, Object> long30 = Map.of("strides", List.of(1L << 30, 1L));
    add(cases, node("Conv", long30, IMAGES, IMAGES), "a stride of 1073741824 is not supported");
    Tensor exponents = Tensor.of(new float[] {2, 3});
    add(cases, node("Pow", Map.of(), ROWS, exponents), "a tensor of exponents, unless all bases");
    add(cases, node("Cast", Map.of("to", 2L), Tensor.ofLongs(255, 256)), "256 is no UINT8");
    add(cases, node("Cast", Map.of("to", 5L), Tensor.ofLongs(-32769)), "-32769 is no INT16");
    add(cases, node("Cast", Map.of("to", 3L), ROWS.scale(50)), "-150 is no INT8");
    return cases.stream();
  }

  private static void add(List<Refused> cases, Node node, String message) {
    cases.add(new Refused(node, message));
  }

  private static void layouts(List<Refused> cases) {
    add(
        cases,
        node("Split", Map.of(), ROWS, Tensor.ofLongs(2)),
        "the sizes [2] do not split 3 values into 1 outputs");
    add(
        cases,
        node("Pad", Map.of("mode", "mirror"), ROWS, Tensor.ofLongs(1, 1, 1, 1)),
        "mode mirror is not supported");
    Tensor none = Tensor.zeros(1, 0);
    add(
        cases,
        node("Pad", Map.of("mode", "wrap"), none, Tensor.ofLongs(0, 0, 1L << 30, 0)),
        "a result of [1073741825, 0] has more than 2^28 values");
    add(
        cases,
        node("OneHot", Map.of(), Tensor.ofLongs(), Tensor.scalar(1L << 30), Tensor.ofLongs(0, 1)),
        "a result of [0, 1073741824] has more than 2^28 values");
  }

  private static void resizing(List<Refused> cases) {
    Tensor sizes = Tensor.ofLongs(1, 1, 1, 4);
    Tensor scales = Tensor.of(new float[] {1, 1, 1, 0.5f});
    Map<String, Object> kept = Map.of("mode", "linear", "keep_aspect_ratio_policy", "not_larger");
    Map<String, Object> axes = Map.of("mode", "linear", "axes", List.of(0L, 1L, 3L, 2L));
    Map<String, Object> halfPixel =
        Map.of("mode", "linear", "coordinate_transformation_mode", "pytorch_half_pixel");
    add(cases, node("Resize", kept, IMAGES, null, null, sizes), "keep_aspect_ratio_policy or axes");
    add(cases, node("Resize", axes, IMAGES, null, null, sizes), "keep_aspect_ratio_policy or axes");
    add(cases, node("Resize", halfPixel, IMAGES, null, null, sizes), "one row or one column");
    add(
        cases,
        node("Resize", Map.of("mode", "linear"), IMAGES, null, scales),
        "a scale of 0.5, which makes 5 values 2.5, is not supported");
  }

  private static void recurrences(List<Refused> cases) {
    Tensor x = Tensor.ones(2, 1, 3);
    for (List<String> activations :
        List.of(List.of("Sigmoid"), List.of("Relu", "Tanh"), List.of("relu"))) {
      add(
          cases,
          node(
              "RNN",
              Map.of("activations", activations),
              x,
              Tensor.ones(1, 2, 3),
              Tensor.ones(1, 2, 2)),
          "activations " + activations + " of an RNN is not supported");
    }
    add(
        cases,
        node(
            "LSTM",
            Map.of("activations", List.of("Sigmoid", "Relu", "Tanh")),
            x,
            Tensor.ones(1, 8, 3),
            Tensor.ones(1, 8, 2)),
        "activations [Sigmoid, Relu, Tanh] of an LSTM is not supported");
    add(
        cases,
        node("LSTM", Map.of("input_forget", 1L), x, Tensor.ones(1, 8, 3), Tensor.ones(1, 8, 2)),
        "input_forget is not supported");
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefused(Refused refused) throws IOException {
    Path file = Files.write(folder.resolve("model.onnx"), refused.node().model());
    OnnxModel model = OnnxModel.load(file);
    assertThatThrownBy(() -> model.forwardAll(List.of()))
        .isInstanceOf(OnnxException.class)
        .message()
        .startsWith("node r (" + refused.node().operator() + "): ")
        .contains(refused.message());
  }
}
