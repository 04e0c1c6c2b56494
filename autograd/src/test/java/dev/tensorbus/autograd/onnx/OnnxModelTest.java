// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.OnnxException;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.functional.Losses;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The models of `onnx/models.py`, against ONNX Runtime.
final class OnnxModelTest {
  private static final Offset<Float> CLOSE = Offset.offset(1e-5f);

  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Tensor images = Tensor.randn(random, 3, 3, 64, 64);

  @TempDir private Path folder;

  static Path resource(String name) {
    URL url = Objects.requireNonNull(OnnxModelTest.class.getResource("/onnx/" + name), name);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void resNetPredictsAsOnnxRuntimeDoes() throws OrtException {
    Path file = resource("resnet18.onnx");
    assertClose(OnnxModel.load(file).forward(images), inOnnxRuntime(file, images).getFirst());
  }

  @Test
  void anEncoderPredictsAsOnnxRuntimeDoesForAnySizes() throws OrtException {
    Path file = resource("bert.onnx");
    OnnxModel model = OnnxModel.load(file);
    for (int[] sizes : List.of(new int[] {2, 7}, new int[] {1, 1}, new int[] {5, 16})) {
      List<Tensor> inputs = List.of(ids(sizes[0], sizes[1]), mask(sizes[0], sizes[1]));
      List<Tensor> expected = inOnnxRuntime(file, inputs.toArray(Tensor[]::new));
      List<Tensor> actual = model.forwardAll(inputs);
      for (int i = 0; i < expected.size(); i++) {
        assertClose(actual.get(i), expected.get(i));
      }
    }
  }

  @Test
  void operatorsThatWeDoNotExportPredictAsInOnnxRuntime() throws OrtException {
    Path file = resource("operators.onnx");
    Tensor images = Tensor.parameterOf(Tensor.randn(random, 2, 4, 9, 10));
    Tensor rows = Tensor.parameterOf(Tensor.randn(random, 4, 6));
    List<Tensor> inputs = List.of(images, rows);
    List<Tensor> expected = inOnnxRuntime(file, inputs.toArray(Tensor[]::new));
    OnnxModel model = OnnxModel.load(file);
    List<Tensor> actual = model.forwardAll(inputs);
    for (int i = 0; i < expected.size(); i++) {
      assertClose(actual.get(i), expected.get(i));
    }
    actual.stream().filter(y -> y.dtype() == DType.FLOAT32).forEach(y -> y.sum().backward());
    assertThat(Objects.requireNonNull(images.grad()).values()).doesNotContain(Float.NaN);
    assertThat(model.gradients()).isNotEmpty(); // of all parameters
  }

  @Test
  void aClassifierOfScikitLearnPredictsAsOnnxRuntimeDoes() throws OrtException {
    Path file = resource("classifier.onnx");
    Tensor x = Tensor.randn(random, 20, 4).scale(3);
    OnnxModel model = OnnxModel.load(file, "label", "probabilities");
    List<Tensor> actual = model.forwardAll(List.of(x));
    assertClose(actual.getFirst(), inOnnxRuntime(file, x).getFirst());
    assertClose(actual.get(1).argmax(1), actual.getFirst());
    assertThat(model.namedParameters().keySet())
        .containsExactlyInAnyOrder("coefficient", "intercepts", "coefficient1", "intercepts1");
  }

  @Test
  void anOperatorThatIsNotSupportedIsNamed() {
    Path file = resource("classifier.onnx");
    assertThatThrownBy(() -> OnnxModel.load(file))
        .isInstanceOf(OnnxException.class)
        .hasMessage(
            "cannot load "
                + file
                + ": operator ai.onnx.ml.ZipMap of node output_probability is not supported; load"
                + " the model up to a value before it: load(file, \"probabilities\")");
  }

  @Test
  void aValueThatTheModelDoesNotComputeIsNamed() {
    Path file = resource("resnet18.onnx");
    assertThatThrownBy(() -> OnnxModel.load(file, "pooled"))
        .isInstanceOf(OnnxException.class)
        .hasMessageStartingWith(
            "cannot load " + file + ": no node computes \"pooled\"; the last values are [")
        .hasMessageEndingWith("/avgpool/GlobalAveragePool_output_0, /Flatten_output_0, scores]");
  }

  @Test
  void weightsAreParametersAndRunningStatisticsAreBuffers() {
    OnnxModel model = OnnxModel.load(resource("resnet18.onnx"));
    assertThat(model.namedParameters())
        .hasSize(62) // as many as torchvision's model has
        .containsKeys("conv1.weight", "layer4.1.bn2.bias", "fc.weight", "fc.bias");
    assertThat(model.namedBuffers().keySet())
        .hasSize(40)
        .allMatch(name -> name.matches(".*running_(mean|var)"));
    assertThat(model.parameters()).allMatch(Tensor::requiresGrad);
    assertThat(model.parametersWhere(name -> name.startsWith("layer4."))).hasSize(15);
    assertThat(model.isTraining()).isFalse();
  }

  @Test
  void aNewHeadLearnsAndTheWholeIsSaved() throws OrtException {
    OnnxModel features = OnnxModel.load(resource("resnet18.onnx"), "/Flatten_output_0");
    features.requiresGrad(false);
    StateDict before = features.state();
    Sequential net = new Sequential(features, new Linear(16, 2, random));
    Tensor contrasts = Tensor.of(Shape.of(3, 1, 1, 1), new float[] {0.1f, 3, 3});
    Tensor faintOrNot = images.mul(contrasts);
    Tensor labels = Tensor.ofLongs(0, 1, 1);
    learn(net, () -> Losses.crossEntropy(net.forward(faintOrNot), labels));
    assertThat(values(features.state())).isEqualTo(values(before));
    Path file = folder.resolve("tuned.onnx");
    OnnxExport.of(net, net::forward).withDynamicBatch(0).save(file, images.slice(0, 0, 1));
    assertClose(inOnnxRuntime(file, images).getFirst(), net.forward(images));
    assertThat(OnnxModel.load(file).namedParameters()).containsKeys("0.conv1.weight", "1.weight");
  }

  private static Map<String, float[]> values(StateDict state) {
    Map<String, float[]> values = new HashMap<>();
    state.tensors().forEach((name, tensor) -> values.put(name, tensor.values()));
    return values;
  }

  /// A classifier on the first token of each text.
  private static final class TextClassifier extends Layer {
    private final OnnxModel encoder =
        child("encoder", OnnxModel.load(resource("bert.onnx"), "pooled"));
    private final Linear head;

    TextClassifier(SplittableRandom random) {
      head = child("head", new Linear(16, 2, random));
    }

    Tensor forward(List<Tensor> idsAndMask) {
      return head.forward(encoder.forwardAll(idsAndMask).getFirst());
    }
  }

  @Test
  void anEncoderIsTunedAsAWholeAndSaved() throws OrtException {
    TextClassifier net = new TextClassifier(random);
    Tensor ids = ids(4, 6);
    Tensor mask = mask(4, 6);
    Tensor labels = Tensor.ofLongs(0, 1, 1, 0);
    learn(net, () -> Losses.crossEntropy(net.forward(List.of(ids, mask)), labels));
    Path file = folder.resolve("tuned.onnx");
    OnnxExport.ofAll(net, in -> List.of(net.forward(in))).save(file, ids, mask);
    Tensor expected = net.forward(List.of(ids, mask));
    assertClose(inOnnxRuntime(file, ids, mask).getFirst(), expected);
    assertClose(OnnxModel.load(file).forwardAll(List.of(ids, mask)).getFirst(), expected);
  }

  /// Steps against the sign of the gradient halve the loss.
  private void learn(Layer net, Supplier<Tensor> loss) {
    float first = loss.get().item();
    for (int step = 0; step < 20; step++) {
      net.zeroGrad();
      loss.get().backward();
      net.parameters().stream()
          .filter(parameter -> parameter.grad() != null)
          .forEach(OnnxModelTest::step);
    }
    assertThat(loss.get().item()).as("-Dseed=" + seed).isLessThan(first / 2);
  }

  private static void step(Tensor parameter) {
    Tensor gradient = Objects.requireNonNull(parameter.grad());
    parameter.replace(old -> old.sub(gradient.sign().scale(0.02)));
  }

  @Test
  void batchNormalizationLearnsInTrainingModeUnlessItIsFrozen() {
    OnnxModel model = OnnxModel.load(resource("resnet18.onnx"));
    Tensor mean = Objects.requireNonNull(model.namedBuffers().get("bn1.running_mean"));
    float[] before = mean.values();
    Tensor evaluated = model.forward(images);
    assertThat(mean.values()).isEqualTo(before);
    model.train();
    model.requiresGrad(false);
    assertThat(model.forward(images).values()).isEqualTo(evaluated.values());
    assertThat(mean.values()).isEqualTo(before);
    model.requiresGrad(true);
    assertThat(model.forward(images).values()).isNotEqualTo(evaluated.values());
    assertThat(mean.values()).isNotEqualTo(before);
  }

  @Test
  void onnxRuntimeComputesForwardPassesOfTraining() {
    OnnxModel model = OnnxModel.load(resource("resnet18.onnx"));
    Tensor expected = model.forward(images);
    try (Accelerated accelerated = Accelerated.of(model, model::forward, Device.CPU)) {
      accelerated.forward(images);
      Tensor actual = accelerated.forward(images);
      assertClose(actual, expected);
      actual.square().mean().backward();
    }
    assertThat(model.gradients()).hasSize(62);
  }

  @Test
  void aNodeThatCannotBeComputedIsNamed() {
    OnnxModel model = OnnxModel.load(resource("resnet18.onnx"));
    assertThatThrownBy(() -> model.forward(Tensor.randn(random, 2, 1, 32, 32)))
        .isInstanceOf(OnnxException.class)
        .hasMessage(
            "node /conv1/Conv (Conv): conv2d: [2, 1, 32, 32] does not fit weight [2, 3, 7, 7]: 1"
                + " channels, 3 expected");
  }

  @Test
  void aModelOfSeveralInputsOrOutputsIsCalledWithAll() {
    OnnxModel model = OnnxModel.load(resource("bert.onnx"));
    assertThatThrownBy(() -> model.forward(ids(1, 2)))
        .isInstanceOf(OnnxException.class)
        .hasMessage(
            "forward: the model has the outputs [hidden, pooled]; load it with one of them, or use"
                + " forwardAll");
    assertThatThrownBy(() -> model.forwardAll(List.of(ids(1, 2))))
        .isInstanceOf(OnnxException.class)
        .hasMessage("forward: 1 tensors for the inputs [ids, mask]; give one for each");
  }

  private Tensor ids(int texts, int words) {
    return Tensor.of(Shape.of(texts, words), random.longs((long) texts * words, 0, 50).toArray());
  }

  /// The second half of each text is empty.
  private static Tensor mask(int texts, int words) {
    long[] mask = new long[texts * words];
    Arrays.setAll(mask, i -> i % words <= words / 2 ? 1 : 0);
    return Tensor.of(Shape.of(texts, words), mask);
  }

  private void assertClose(Tensor actual, Tensor expected) {
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.detach().to(DType.FLOAT32).values())
        .as("-Dseed=" + seed)
        .containsExactly(expected.detach().to(DType.FLOAT32).values(), CLOSE);
  }

  /// The outputs that are tensors.
  static List<Tensor> inOnnxRuntime(Path file, Tensor... inputs) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(file.toString())) {
      Map<String, OnnxTensor> given = new HashMap<>();
      for (String name : session.getInputInfo().keySet()) {
        given.put(name, tensor(environment, inputs[given.size()]));
      }
      List<Tensor> outputs = new ArrayList<>();
      try (OrtSession.Result results = session.run(given)) {
        for (Map.Entry<String, OnnxValue> result : results) {
          if (result.getValue() instanceof OnnxTensor tensor) {
            outputs.add(tensor(tensor));
          }
        }
      }
      given.values().forEach(OnnxTensor::close);
      return outputs;
    }
  }

  private static OnnxTensor tensor(OrtEnvironment environment, Tensor tensor) throws OrtException {
    long[] sizes = Arrays.stream(tensor.shape().toArray()).asLongStream().toArray();
    return tensor.dtype() == DType.INT64
        ? OnnxTensor.createTensor(environment, LongBuffer.wrap(tensor.longs()), sizes)
        : OnnxTensor.createTensor(environment, FloatBuffer.wrap(tensor.values()), sizes);
  }

  private static Tensor tensor(OnnxTensor tensor) {
    Shape shape =
        Shape.of(Arrays.stream(tensor.getInfo().getShape()).mapToInt(Math::toIntExact).toArray());
    if (tensor.getInfo().type == OnnxJavaType.INT64) {
      long[] values = new long[shape.elements()];
      tensor.getLongBuffer().get(values);
      return Tensor.of(shape, values);
    }
    float[] values = new float[shape.elements()];
    tensor.getFloatBuffer().get(values);
    return Tensor.of(shape, values);
  }
}
