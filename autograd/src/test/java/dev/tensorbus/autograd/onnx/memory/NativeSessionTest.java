// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.memory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.onnx.graph.Graph;
import dev.tensorbus.autograd.onnx.graph.GraphBuilder;
import dev.tensorbus.autograd.onnx.graph.GraphNode;
import dev.tensorbus.autograd.onnx.graph.GraphValue;
import dev.tensorbus.autograd.onnx.runtime.Provider;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NativeSessionTest {
  private static Graph graph(String operator) {
    GraphBuilder builder = new GraphBuilder();
    builder.input(GraphValue.of("x", DType.FLOAT32, Shape.of(2)));
    builder.node(new GraphNode(operator, "test", List.of("x"), List.of("y"), List.of()));
    builder.output(GraphValue.of("y", DType.FLOAT32, Shape.of(2)));
    return builder.build();
  }

  @Test
  void anErrorOfOnnxRuntimeIsOneLine() {
    assertThatExceptionOfType(OnnxException.class)
        .isThrownBy(() -> new NativeSession(graph("NoSuchOperator"), Provider.CPU))
        .withMessageMatching("ONNX Runtime failed: .*NoSuchOperator.*");
  }

  @Test
  void inputsOfAnotherShapeAreRefused() {
    DeviceMemory memory = new DeviceMemory(Provider.CPU);
    try (NativeSession session = new NativeSession(graph("Neg"), Provider.CPU);
        DeviceTensor x = new DeviceTensor(memory, DType.FLOAT32, Shape.of(3));
        DeviceTensor y = new DeviceTensor(memory, DType.FLOAT32, Shape.of(2))) {
      session.bindInput("x", x.value());
      session.bindOutput("y", y.value());
      assertThatExceptionOfType(OnnxException.class)
          .isThrownBy(session::run)
          .withMessageMatching("ONNX Runtime failed: .*Got: 3 Expected: 2.*");
    }
  }
}
