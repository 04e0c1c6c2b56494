// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.DType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// An ONNX operator with its attributes: `operator("Gemm").with("transB", 1).of(x, weight)`.
///
/// @param name the name of the operator in ONNX
/// @param attributes the attributes by name, in order; each is a `Long`, a `List<Long>`, a `Float`,
///     a `String`, a `List<String>` or a [DType]
public record OnnxOperator(String name, Map<String, Object> attributes) {
  /// Returns an operator without attributes.
  public static OnnxOperator operator(String name) {
    return new OnnxOperator(name, Map.of());
  }

  /// Returns a copy with an attribute that is a list of integers.
  public OnnxOperator with(String attribute, int... values) {
    return plus(attribute, Arrays.stream(values).asLongStream().boxed().toList());
  }

  /// Returns a copy with an integer attribute.
  public OnnxOperator with(String attribute, int value) {
    return plus(attribute, (long) value);
  }

  /// Returns a copy with a floating-point attribute.
  public OnnxOperator withReal(String attribute, double value) {
    return plus(attribute, (float) value);
  }

  /// Returns a copy with a string attribute.
  public OnnxOperator withText(String attribute, String value) {
    return plus(attribute, value);
  }

  /// Returns a copy with an attribute that is a list of strings.
  public OnnxOperator withTexts(String attribute, String... values) {
    return plus(attribute, List.of(values));
  }

  /// Returns a copy with a type attribute, which is encoded as ONNX's code of the type.
  public OnnxOperator withType(String attribute, DType type) {
    return plus(attribute, type);
  }

  private OnnxOperator plus(String attribute, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(attributes);
    more.put(attribute, value);
    return new OnnxOperator(name, more);
  }

  /// Applies an operator with one result.
  public OnnxValue of(OnnxValue... inputs) {
    return all(1, inputs).getFirst();
  }

  /// Applies an operator with several results.
  public List<OnnxValue> all(int results, OnnxValue... inputs) {
    OnnxNode node = new OnnxNode(this, List.of(inputs), results);
    return IntStream.range(0, results)
        .<OnnxValue>mapToObj(number -> new OnnxValue.Result(node, number))
        .toList();
  }
}
