// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.dropout.Dropout2d;
import dev.tensorbus.nn.normalization.BatchNorm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LayerTest {
  static final class Net extends Layer {
    private final Conv2d conv;
    private final Dropout2d dropout2d;
    private final Linear linear;
    private final Dropout dropout;

    private Net(RandomGenerator random) {
      conv = child("conv", new Conv2d(1, 2, 3, random));
      dropout2d = child("dropout1", new Dropout2d(0.5f, random));
      linear = child("fc", new Linear(8, 3, random));
      dropout = child("dropout2", new Dropout(0.5f, random));
    }

    private Tensor forward(Tensor images) {
      Tensor features = dropout2d.forward(conv.forward(images)).flatten(1);
      return dropout.forward(linear.forward(features));
    }
  }

  private final Tensor images = Tensor.randn(new SplittableRandom(2), 3, 1, 4, 4);
  private final Net net = new Net(new SplittableRandom(1));

  @Test
  void parametersHaveTorchsNamesAndShapesInTheOrderOfRegistration() {
    assertThat(net.namedParameters().keySet())
        .containsExactly("conv.weight", "conv.bias", "fc.weight", "fc.bias");
    assertThat(net.parameters())
        .extracting(parameter -> parameter.shape().toString())
        .containsExactly("[2, 1, 3, 3]", "[2]", "[3, 8]", "[3]");
    assertThat(net.parameters()).allMatch(Tensor::requiresGrad);
  }

  @Test
  void parametersStartWithinTorchsBounds() {
    float[] weight = new Linear(100, 50, new SplittableRandom(1)).parameters().getFirst().values();
    double squares = 0;
    for (float value : weight) {
      assertThat(value).isBetween(-0.1f, 0.1f);
      squares += value * value;
    }
    // The variance of a uniform value in ±b is b² / 3.
    assertThat(squares / weight.length).isBetween(0.0031, 0.0036);
  }

  @Test
  void uniformValuesStayWithinTheirBound() {
    Tensor parameter = Tensor.parameterOf(Tensor.zeros(1000));
    Initializers.uniform(parameter, 0.1, new SplittableRandom(1));
    float[] values = parameter.values().clone();
    Arrays.sort(values);
    assertThat(values[0]).isBetween(-0.1f, -0.09f);
    assertThat(values[999]).isBetween(0.09f, 0.1f);
  }

  @Test
  void equalSeedsGiveEqualLayersAndEqualResults() {
    Net other = new Net(new SplittableRandom(1));
    for (int i = 0; i < 3; i++) {
      assertThat(net.forward(images).values()).containsExactly(other.forward(images).values());
    }
  }

  @Test
  void evaluationLeavesNothingOutTrainingDoes() {
    net.eval();
    assertThat(net.isTraining()).isFalse();
    float[] first = net.forward(images).values();
    assertThat(net.forward(images).values()).containsExactly(first);
    net.train();
    assertThat(net.isTraining()).isTrue();
    assertThat(net.forward(images).values()).isNotEqualTo(first);
  }

  @Test
  void layersMoveToFloat64AndBack() {
    Linear linear = new Linear(3, 2, new SplittableRandom(1));
    Tensor x = Tensor.randn(new SplittableRandom(2), 4, 3);
    float[] before = linear.forward(x).values();
    linear.to(DType.FLOAT64);
    assertThat(linear.parameters()).allMatch(parameter -> parameter.dtype() == DType.FLOAT64);
    Tensor y = linear.forward(x.to(DType.FLOAT64));
    assertThat(y.dtype()).isEqualTo(DType.FLOAT64);
    y.sum().backward();
    linear.to(DType.FLOAT32);
    assertThat(linear.parameters())
        .allMatch(parameter -> parameter.grad().dtype() == DType.FLOAT32);
    assertThat(linear.forward(x).values()).containsExactly(before);
    assertThatThrownBy(() -> linear.to(DType.INT64))
        .hasMessage("to: layers can be converted to float32 or float64, not to int64");
  }

  @Test
  void countersStayWhatTheyAreInFloat64() {
    BatchNorm norm = new BatchNorm(2);
    norm.to(DType.FLOAT64);
    assertThat(norm.state().tensors().get("num_batches_tracked").dtype()).isEqualTo(DType.INT64);
    assertThat(norm.state().tensors().get("running_mean").dtype()).isEqualTo(DType.FLOAT64);
  }

  @Test
  void aStateMovesFromOneLayerToAnother() {
    Net other = new Net(new SplittableRandom(5));
    StateDict state = net.state();
    other.load(state);
    net.eval();
    other.eval();
    assertThat(other.forward(images).values()).containsExactly(net.forward(images).values());
    assertThat(state.tensors().values()).noneMatch(Tensor::requiresGrad);
  }

  @Test
  void aStateMovesByWayOfAFile(@TempDir Path folder) {
    net.state().save(folder.resolve("net.safetensors"));
    Net other = new Net(new SplittableRandom(5));
    other.load(StateDict.read(folder.resolve("net.safetensors")));
    net.eval();
    other.eval();
    assertThat(other.forward(images).values()).containsExactly(net.forward(images).values());
  }

  @Test
  void gradientsComeInTheOrderOfParametersUntilTheyAreForgotten() {
    Linear layer = new Linear(2, 1, new SplittableRandom(1));
    layer.forward(Tensor.of(Shape.of(1, 2), new float[] {3, 4})).sum().backward();
    assertThat(layer.gradients()).hasSize(2);
    assertThat(layer.gradients().getFirst().values()).containsExactly(3, 4);
    assertThat(layer.gradients().getLast().values()).containsExactly(1);
    layer.parameters().getFirst().requiresGrad(false);
    assertThat(layer.gradients()).singleElement().isSameAs(layer.parameters().getLast().grad());
    layer.requiresGrad(true);
    layer.zeroGrad();
    assertThatThrownBy(layer::gradients)
        .hasMessage("gradients: parameter weight has no gradient; call backward on a loss first");
  }

  @Test
  void aStateDoesNotFollowLaterUpdates() {
    StateDict state = net.state();
    net.parameters().get(1).update(values -> new float[] {7f, 7f});
    assertThat(state.tensors().values()).noneMatch(tensor -> tensor.values()[0] == 7f);
  }

  @Test
  void aStateThatDoesNotFitIsRefusedAsAWhole() {
    Map<String, Tensor> tensors = new HashMap<>(net.state().tensors());
    tensors.put("fc.weight", Tensor.zeros(3, 9));
    tensors.remove("fc.bias");
    tensors.put("fc3.bias", Tensor.zeros(3));
    float[] before = net.parameters().getFirst().values();
    assertThatThrownBy(() -> net.load(new StateDict(tensors)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "load: fc.bias is missing; fc.weight is [3, 9], expected [3, 8]; fc3.bias is"
                + " unexpected");
    assertThat(net.parameters().getFirst().values()).isSameAs(before);
  }

  @Test
  void matchingNamesAreLoadedAndTheOthersNamed() {
    Map<String, Tensor> tensors = new HashMap<>(net.state().tensors());
    tensors.put("conv.bias", Tensor.of(5, 6));
    tensors.remove("fc.bias");
    tensors.put("head.bias", Tensor.zeros(3));
    float[] before = net.namedParameters().get("fc.bias").values();
    Layer.IncompatibleKeys keys = net.loadMatching(new StateDict(tensors));
    assertThat(keys.missing()).containsExactly("fc.bias");
    assertThat(keys.unexpected()).containsExactly("head.bias");
    assertThat(net.namedParameters().get("conv.bias").values()).containsExactly(5, 6);
    assertThat(net.namedParameters().get("fc.bias").values()).isSameAs(before);
  }

  @Test
  void anotherShapeIsRefusedAlsoWhereNamesNeedNotMatch() {
    StateDict other = new Net(new SplittableRandom(5)).state();
    Map<String, Tensor> tensors = new HashMap<>(other.tensors());
    tensors.put("fc.weight", Tensor.zeros(4, 8));
    float[] before = net.parameters().getFirst().values();
    assertThatThrownBy(() -> net.loadMatching(new StateDict(tensors)))
        .hasMessage("load: fc.weight is [4, 8], expected [3, 8]");
    assertThat(net.parameters().getFirst().values()).isSameAs(before);
    StateDict body = new StateDict(tensors).select(name -> !name.startsWith("fc."));
    assertThat(net.loadMatching(body).missing()).containsExactly("fc.weight", "fc.bias");
  }

  @Test
  void tensorsOfAStateGetOtherNames() {
    StateDict state = new StateDict(Map.of("module.fc.bias", Tensor.zeros(3)));
    StateDict renamed = state.renamed(name -> name.replaceFirst("^module\\.", ""));
    assertThat(renamed.tensors()).containsOnlyKeys("fc.bias");
    assertThatThrownBy(() -> net.state().renamed(_ -> "same"))
        .hasMessage(
            "renamed: conv.bias and another tensor would both be named same; give them different"
                + " names");
  }

  @Test
  void parametersAreChosenByName() {
    assertThat(net.parametersWhere(name -> name.startsWith("fc.")))
        .containsExactly(net.parameters().get(2), net.parameters().get(3));
    net.parametersWhere(name -> name.startsWith("conv.")).forEach(one -> one.requiresGrad(false));
    assertThat(net.parameters())
        .extracting(Tensor::requiresGrad)
        .containsExactly(false, false, true, true);
  }

  /// A layer that gets further parts later, such as adapters.
  private static final class Growing extends Layer {
    private void grow(String name) {
      child(name, new Linear(1, 1, new SplittableRandom(1)));
    }
  }

  @Test
  void parametersThatAreRegisteredLaterAreReportedToo() {
    Growing inner = new Growing();
    LayerList<Growing> outer = new LayerList<>(List.of(inner));
    inner.grow("first");
    List<Tensor> reported = new ArrayList<>();
    outer.forEachParameter(reported::add);
    assertThat(reported).hasSize(2);
    inner.grow("second");
    assertThat(reported).containsExactlyElementsOf(outer.parameters()).hasSize(4);
  }

  @Test
  void aThreadEvaluatesWhileOthersTrain() {
    boolean[] trains = new boolean[2];
    boolean[] records = new boolean[1];
    Evaluation.call(
        () -> {
          trains[0] = net.isTraining();
          records[0] = net.forward(images).requiresGrad();
          Thread other = Thread.ofVirtual().start(() -> trains[1] = net.isTraining());
          return join(other);
        });
    assertThat(trains).containsExactly(false, true);
    assertThat(records).containsExactly(false);
    assertThat(net.isTraining()).isTrue();
  }

  private static boolean join(Thread thread) {
    try {
      return thread.join(Duration.ofMinutes(1));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aNameIsRegisteredOnce() {
    assertThatThrownBy(() -> net.child("fc", new Linear(1, 1, new SplittableRandom(1))))
        .hasMessage("\"fc\" is already registered");
    assertThatThrownBy(() -> net.child("a.b", new Linear(1, 1, new SplittableRandom(1))))
        .hasMessage("invalid name \"a.b\"; a name must not be empty or contain a dot");
  }
}
