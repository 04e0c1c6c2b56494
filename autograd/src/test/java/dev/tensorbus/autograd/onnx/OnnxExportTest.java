// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void aModelWhoseValuesCannotBeWrittenLeavesTheOldOne() throws OrtException, IOException {
    Path file = folder.resolve("linear.onnx");
    OnnxExport export = OnnxExport.of(linear, linear::forward).withInputs("x").withOutputs("y");
    export.save(file, x);
    Files.createDirectory(folder.resolve("linear.onnx.data"));
    assertThatThrownBy(() -> export.withExternalData().save(file, x))
        .isInstanceOf(OnnxException.class)
        .hasMessageEndingWith("linear.onnx.data: is not a regular file");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("linear.onnx", "linear.onnx.data");
    assertRuns(file, linear::forward, x);
  }

  @Test
  void aTiedWeightIsWrittenOnce() throws OrtException, IOException {
    Linear square = new Linear(6, 6, random);
    Sequential tied = new Sequential(square, Tensor::tanh, square);
    Path file = folder.resolve("tied.onnx");
    OnnxExport.of(tied, tied::forward).withInputs("x").withOutputs("y").save(file, x);
    assertRuns(file, tied::forward, x);
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
        .contains("0.weight")
        .doesNotContain("2.weight");
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
    try (OrtSession session = environment.createSession(file.toString());
        OnnxTensor given =
            OnnxTensor.createTensor(environment, FloatBuffer.wrap(input.values()), sizes(input));
        OrtSession.Result result = session.run(Map.of("x", given))) {
      OnnxTensor output = (OnnxTensor) result.get("y").orElseThrow();
      assertThat(output.getInfo().getShape()[0]).isEqualTo(forward.apply(input).shape().size(0));
      float[] values = new float[output.getFloatBuffer().remaining()];
      output.getFloatBuffer().get(values);
      assertThat(values).containsExactly(forward.apply(input).values(), Offset.offset(1e-5f));
    }
  }

  private static long[] sizes(Tensor tensor) {
    return Arrays.stream(tensor.shape().toArray()).asLongStream().toArray();
  }

  @Test
  void whatDependsOnTheBatchInAnotherWayIsNamed() {
    OnnxExport export = OnnxExport.of(linear, in -> linear.forward(in).mean()).withDynamicBatch(0);
    assertThatThrownBy(() -> export.bytes(x))
        .isInstanceOf(OnnxException.class)
        .hasMessage(
            "scale depends on the batch size in a way that a model for any batch size cannot"
                + " express; export without withDynamicBatch");
  }

  @Test
  void anOperationWithoutACounterpartIsNamed() {
    OnnxExport export = OnnxExport.of(linear, in -> cubed(linear.forward(in)).relu());
    assertThatThrownBy(() -> export.bytes(x))
        .isInstanceOf(OnnxException.class)
        .hasMessage(
            "cannot export: forward uses a result of cubed, [4, 3], whose gradient does not go to"
                + " an input or parameter of the layer and for which ONNX has no operator; make it"
                + " an input");
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

  /// Multiplies its input by a parameter, and adds a constant.
  private static final class Scaled extends Layer {
    private final Tensor factor;
    private final Tensor summand = Tensor.of(0.5f, 0.25f);

    Scaled(String name) {
      factor = parameter(name, Shape.of(2), new float[] {2, 3});
    }

    Tensor forward(Tensor x) {
      return factor.mul(x).add(summand);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "input", "input_0", "input0", "output", "output_0", "output0", "mul_0", "mul_1",
        "constant_0", "constant_1", "add_0", "add_1", "add_2", "batch", "batch_0", "batch_1",
        "batch_2", "drawn0"
      })
  void aParameterMayHaveAnyName(String name) throws OrtException {
    Scaled layer = new Scaled(name);
    OnnxExport fixed = OnnxExport.of(layer, layer::forward);
    Tensor one = Tensor.of(Shape.of(1, 2), new float[] {1, 2});
    for (OnnxExport export : List.of(fixed, fixed.withDynamicBatch(0))) {
      assertThat(results(export.bytes(one), one)).containsExactly(2.5f, 6.25f);
    }
    try (Accelerated accelerated = Accelerated.of(layer, layer::forward, Device.CPU)) {
      for (int pass = 0; pass < 8; pass++) { // in Java, by the general session, by the fixed one
        assertThat(accelerated.forward(one).values()).containsExactly(2.5f, 6.25f);
      }
    }
  }

  private static float[] results(byte[] model, Tensor input) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(model);
        OnnxTensor given =
            OnnxTensor.createTensor(environment, FloatBuffer.wrap(input.values()), sizes(input))) {
      assertThat(session.getInputNames()).hasSize(1);
      String name = session.getInputNames().iterator().next();
      try (OrtSession.Result result = session.run(Map.of(name, given))) {
        return ((OnnxTensor) result.get(0)).getFloatBuffer().array();
      }
    }
  }

  @Test
  void aDrawMayHaveTheNameOfAWeight() throws OrtException {
    Layer layer =
        new Layer() {
          {
            parameter("drawn0", Shape.of(2), new float[] {2, 3});
          }
        };
    Tensor weight = layer.parameters().getFirst();
    OnnxExport export =
        OnnxExport.of(layer, in -> in.dropout(0.5f, random).mul(weight)).withInputs("x");
    try (OrtSession session =
        OrtEnvironment.getEnvironment().createSession(export.bytes(Tensor.of(1, 2)))) {
      assertThat(session.getInputNames()).hasSize(2).doesNotContain("drawn0");
    }
  }

  @Test
  void severalInputsAndOutputsHaveDefaultNames() throws OrtException {
    OnnxExport export =
        OnnxExport.ofAll(linear, in -> List.of(in.get(0).add(in.get(1)), in.get(0).sub(in.get(1))));
    try (OrtSession session = OrtEnvironment.getEnvironment().createSession(export.bytes(x, x))) {
      assertThat(session.getInputNames()).containsExactly("input0", "input1");
      assertThat(session.getOutputNames()).containsExactly("output0", "output1");
    }
  }

  @Test
  void anInputWhoseNameBeginsWithADigitHasABatchOfAnySize() throws OrtException {
    UnaryOperator<Tensor> doubled = in -> Tensor.concatenate(List.of(in, in), 0);
    byte[] model =
        OnnxExport.of(linear, doubled)
            .withDynamicBatch(0)
            .withInputs("2d")
            .withOutputs("4d")
            .bytes(x);
    assertThat(results(model, x)).hasSize(2 * x.shape().elements());
  }

  @Test
  void aNameThatIsTakenIsRefused() {
    OnnxExport export = OnnxExport.of(linear, linear::forward);
    assertRefused(
        export.withInputs("x").withOutputs("x"),
        "the output \"x\" has the name of another input or output; give each input, output and"
            + " weight a different name",
        x);
    assertRefused(
        export.withInputs("weight"),
        "the input \"weight\" has the name of a weight; give each input, output and weight a"
            + " different name",
        x);
    assertRefused(
        export.withDynamicBatch(0).withOutputs("bias"),
        "the output \"bias\" has the name of a weight; give each input, output and weight a"
            + " different name",
        x);
    assertRefused(
        OnnxExport.ofAll(linear, in -> List.of(in.get(0).add(in.get(1)))).withInputs("a", "a"),
        "the input \"a\" has the name of another input or output; give each input, output and"
            + " weight a different name",
        x,
        x);
    assertRefused(export.withInputs(""), "an input has an empty name; give it a name", x);
  }

  private static void assertRefused(OnnxExport export, String message, Tensor... examples) {
    assertThatThrownBy(() -> export.bytes(examples))
        .isInstanceOf(OnnxException.class)
        .hasMessage(message);
  }

  @Test
  void theNameOfAWeightThatIsNotUsedIsFree() throws OrtException {
    OnnxExport export = OnnxExport.of(linear, in -> in.relu()).withInputs("weight");
    assertThat(results(export.bytes(x), x)).isEqualTo(x.relu().values());
  }

  @Test
  void namesAreAsManyAsValues() {
    OnnxExport export = OnnxExport.of(linear, linear::forward).withInputs("a", "b");
    assertThatThrownBy(() -> export.bytes(x))
        .isInstanceOf(OnnxException.class)
        .hasMessage("2 names for 1 inputs: [a, b]; give one for each");
  }
}
