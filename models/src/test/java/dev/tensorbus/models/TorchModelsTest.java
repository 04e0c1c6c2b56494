// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.gpt.Gpt;
import dev.tensorbus.models.gpt.GptOptions;
import dev.tensorbus.models.resnet.ResNet;
import dev.tensorbus.models.resnet.ResNetOptions;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.nn.safetensors.Safetensors;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Networks with torch's weights compute what torch computes: `torch/models.py` wrote both.
class TorchModelsTest {
  private static final double RELATIVE = 1e-5;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Map<String, Tensor> all = all();

  private static Map<String, Tensor> all() {
    try {
      var file = TorchModelsTest.class.getResource("/torch/models.safetensors");
      return Safetensors.read(Path.of(Objects.requireNonNull(file).toURI()));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aResidualNetwork() {
    agree("resnet18", new ResNet(ResNetOptions.resnet18(10).withWidth(4), random));
  }

  @Test
  void aResidualNetworkForSmallImages() {
    ResNetOptions options = new ResNetOptions(List.of(1, 1, 1, 1), 2, 3, false);
    agree("cifar", new ResNet(options.forSmallImages(), random));
  }

  @Test
  void theResidualNetworksHaveTorchvisionsNumbersOfParameters() {
    assertThat(count(new ResNet(ResNetOptions.resnet18(1000), random))).isEqualTo(11_689_512);
    assertThat(count(new ResNet(ResNetOptions.resnet34(1000), random))).isEqualTo(21_797_672);
  }

  private static long count(Layer layer) {
    return layer.parameters().stream().mapToLong(p -> p.shape().elements()).sum();
  }

  private <L extends Layer & Forward> void agree(String name, L network) {
    network.load(state(name));
    agreeLoaded(name, network);
  }

  private StateDict state(String name) {
    return new StateDict(part(name + "/state."));
  }

  private Map<String, Tensor> part(String prefix) {
    return all.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().substring(prefix.length()), Map.Entry::getValue));
  }

  private <L extends Layer & Forward> void agreeLoaded(String name, L network) {
    network.eval();
    Tensor y = network.forward(tensor(name + "/x"));
    agree(y, tensor(name + "/y"), name);
    y.mul(y).sum().backward();
    Map<String, Tensor> norms = part(name + "/norm.");
    assertThat(norms).hasSameSizeAs(network.parameters());
    network
        .namedParameters()
        .forEach(
            (parameter, values) -> {
              Tensor gradient = Objects.requireNonNull(values.grad(), parameter);
              Tensor norm = gradient.mul(gradient).sum().sqrt();
              agree(norm, norm(norms, parameter), parameter);
            });
  }

  private static Tensor norm(Map<String, Tensor> norms, String parameter) {
    Tensor known = norms.get(parameter);
    return known == null
        ? Objects.requireNonNull(norms.get("transformer." + parameter), parameter)
        : known;
  }

  private Tensor tensor(String name) {
    return Objects.requireNonNull(all.get(name), name);
  }

  private static void agree(Tensor found, Tensor expected, String what) {
    assertThat(found.shape()).as(what).isEqualTo(expected.shape());
    double[] values = expected.to(DType.FLOAT64).doubles();
    double most = 0;
    for (double value : values) {
      most = Math.max(most, Math.abs(value));
    }
    assertThat(found.to(DType.FLOAT64).doubles())
        .as(what)
        .containsExactly(values, within(RELATIVE * most));
  }

  @Test
  void aTransformerOfNanoGpt() {
    agreeLoaded("nanogpt", Gpt.of(state("nanogpt"), 4));
  }

  @Test
  void aTransformerOfHuggingFace() {
    agreeLoaded("gpt2", Gpt.of(state("gpt2"), 4));
  }

  @Test
  void weightsOfBfloat16AreComputedWithAsFloat32() {
    StateDict rounded = state("gpt2").to(DType.BFLOAT16);
    Gpt gpt = Gpt.of(rounded, 4);
    assertThat(gpt.parameters()).allSatisfy(p -> assertThat(p.dtype()).isEqualTo(DType.FLOAT32));
    Tensor scores = gpt.forward(tensor("gpt2/x"));
    Gpt same = Gpt.of(rounded.to(DType.FLOAT32), 4);
    assertThat(scores.values()).containsExactly(same.forward(tensor("gpt2/x")).values());
    Tensor exact = Gpt.of(state("gpt2"), 4).forward(tensor("gpt2/x"));
    assertThat(scores.values()).usingComparatorWithPrecision(0.1f).containsExactly(exact.values());
    LstmTagger tagger = LstmTagger.of(state("tagger").to(DType.BFLOAT16));
    assertThat(tagger.forward(tensor("tagger/x")).dtype()).isEqualTo(DType.FLOAT32);
  }

  @Test
  void aTagger() {
    agreeLoaded("tagger", LstmTagger.of(state("tagger")));
  }

  @Test
  void weightsOfAnotherModelAreRefused() {
    assertThatThrownBy(() -> Gpt.of(state("tagger"), 4))
        .hasMessage("not the weights of a GPT-2: wte.weight or wpe.weight is missing");
    assertThatThrownBy(() -> LstmTagger.of(state("gpt2")))
        .hasMessageContaining("not the weights of an LstmTagger");
    assertThatThrownBy(() -> Gpt.of(state("gpt2"), 3))
        .hasMessage(
            "gpt: size 16 is not a multiple of 3 heads; the number of heads must divide"
                + " the size");
    assertThatThrownBy(
            () ->
                new ResNet(ResNetOptions.resnet18(7).withWidth(4), random).load(state("resnet18")))
        .hasMessage("load: fc.weight is [10, 32], expected [7, 32]; fc.bias is [10], expected [7]");
    assertThatThrownBy(() -> new ResNetOptions(List.of(2, 0), 4, 10, false))
        .hasMessage("resnet: blocks [2, 0], width 4 and classes 10; each must be 1 or more");
  }

  @Test
  void aTextLongerThanTheContextIsRefused() {
    Gpt gpt = Gpt.of(state("gpt2"), 4);
    assertThatThrownBy(() -> gpt.forward(Tensor.zeros(2, 9).to(DType.INT64)))
        .isInstanceOf(ShapeException.class)
        .hasMessageContaining("tokens [2, 9] are not of the shape [n, up to 8]");
    assertThatThrownBy(() -> gpt.forward(Tensor.arange(3)))
        .isInstanceOf(ShapeException.class)
        .hasMessageContaining("tokens [3] are not of the shape [n, up to 8]");
  }

  @Test
  void aNewTransformerHasAGradientForEachParameter() {
    Gpt gpt = new Gpt(new GptOptions(5, 4, 8, 1, 2, 0.1f), random);
    Tensor text = Tensor.ofLongs(0, 1, 2, 3).reshape(1, 4);
    Tensor scores = gpt.forward(text);
    assertThat(scores.shape().toArray()).containsExactly(1, 4, 5);
    scores.logSoftmax(-1).sum().neg().backward();
    assertThat(gpt.gradients()).hasSameSizeAs(gpt.parameters());
  }
}
