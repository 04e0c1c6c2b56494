// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.recurrent.Lstm;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Exported models in plain ONNX Runtime.
final class OnnxExportTest {
  private final SplittableRandom random = new SplittableRandom(Long.getLong("seed", 1));
  private final Linear linear = new Linear(6, 3, random);
  private final Tensor x = Tensor.randn(random, 4, 6);

  @TempDir private Path folder;

  @Test
  void aFileOfItsOwnHoldsTheWeightsUnderTheirNames() throws OrtException, IOException {
    Path file = folder.resolve("linear.onnx");
    OnnxExport.of(linear, linear::forward).withInputs("x").withOutputs("y").save(file, x);
    assertRuns(file, linear::forward, x);
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).contains("weight", "bias");
  }

  @Test
  void weightsMayLieBeside() throws OrtException {
    Path file = folder.resolve("linear.onnx");
    OnnxExport.of(linear, linear::forward)
        .withInputs("x")
        .withOutputs("y")
        .withExternalData()
        .save(file, x);
    assertThat(folder.resolve("linear.onnx.data")).exists();
    assertRuns(file, linear::forward, x);
  }

  @Test
  void aBatchMayHaveAnySize() throws OrtException {
    Layer net = new Layer() {};
    Tensor weight = Tensor.randn(random, 3, 2, 2, 2);
    Tensor bias = Tensor.randn(random, 3);
    UnaryOperator<Tensor> forward = in -> in.conv2d(weight, bias).flatten(1).logSoftmax(1);
    Path file = folder.resolve("net.onnx");
    OnnxExport.of(net, forward)
        .withDynamicBatch(0)
        .withInputs("x")
        .withOutputs("y")
        .save(file, Tensor.randn(random, 1, 2, 5, 5));
    assertRuns(file, forward, Tensor.randn(random, 1, 2, 5, 5));
    assertRuns(file, forward, Tensor.randn(random, 7, 2, 5, 5));
  }

  @Test
  void aStateOfZerosGrowsWithTheBatch() throws OrtException {
    Lstm lstm = new Lstm(6, 5, 2, random);
    Path file = folder.resolve("lstm.onnx");
    UnaryOperator<Tensor> forward = in -> lstm.forward(in).sequence();
    OnnxExport.of(lstm, forward)
        .withDynamicBatch(1)
        .withInputs("x")
        .withOutputs("y")
        .save(file, Tensor.randn(random, 3, 1, 6));
    assertRuns(file, forward, Tensor.randn(random, 3, 4, 6));
  }

  private static void assertRuns(Path file, UnaryOperator<Tensor> forward, Tensor input)
      throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    long[] sizes = Arrays.stream(input.shape().toArray()).asLongStream().toArray();
    try (OrtSession session = environment.createSession(file.toString());
        OnnxTensor given =
            OnnxTensor.createTensor(environment, FloatBuffer.wrap(input.values()), sizes);
        OrtSession.Result result = session.run(Map.of("x", given))) {
      OnnxTensor output = (OnnxTensor) result.get("y").orElseThrow();
      assertThat(output.getInfo().getShape()[0]).isEqualTo(forward.apply(input).shape().size(0));
      float[] values = new float[output.getFloatBuffer().remaining()];
      output.getFloatBuffer().get(values);
      assertThat(values).containsExactly(forward.apply(input).values(), Offset.offset(1e-5f));
    }
  }

  @Test
  void whatDependsOnTheBatchInAnotherWayIsNamed() {
    OnnxExport export = OnnxExport.of(linear, in -> linear.forward(in).mean()).withDynamicBatch(0);
    assertThatThrownBy(() -> export.bytes(x))
        .isInstanceOf(OnnxException.class)
        .hasMessage(
            "scale depends on the size of the batch in a way that a model for any size cannot;"
                + " export without withDynamicBatch");
  }

  @Test
  void anOperationWithoutACounterpartIsNamed() {
    OnnxExport export = OnnxExport.of(linear, in -> cubed(linear.forward(in)).relu());
    assertThatThrownBy(() -> export.bytes(x))
        .isInstanceOf(OnnxException.class)
        .hasMessage(
            "cannot export: forward uses what cubed gave, [4, 3], whose gradient goes elsewhere"
                + " than to an input or a parameter of the layer and which ONNX has no operator"
                + " for; make it an input");
  }

  /// A function of a user's own.
  private static Tensor cubed(Tensor x) {
    float[] values = x.values().clone();
    for (int i = 0; i < values.length; i++) {
      values[i] *= values[i] * values[i];
    }
    Node node =
        new Node(1, List.of(x.gradientEdge())) {
          @Override
          protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
            return gradients;
          }

          @Override
          public String toString() {
            return "cubed";
          }
        };
    return Tensor.recorded(Tensor.of(x.shape(), values), new Edge(node, 0));
  }

  @Test
  void namesAreAsManyAsValues() {
    OnnxExport export = OnnxExport.of(linear, linear::forward).withInputs("a", "b");
    assertThatThrownBy(() -> export.bytes(x))
        .isInstanceOf(OnnxException.class)
        .hasMessage("2 names for 1 inputs: [a, b]");
  }
}
