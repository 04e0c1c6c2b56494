// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.normalization.BatchNorm;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One layer in two places: one parameter with two names.
final class TiedWeightsTest {
  @TempDir private Path folder;

  private static Sequential tied(long seed) {
    Linear linear = new Linear(2, 2, new SplittableRandom(seed));
    return new Sequential(linear, Tensor::relu, linear);
  }

  @Test
  void aTiedParameterIsListedOnceUnderItsFirstName() {
    Sequential net = tied(1);
    assertThat(net.parameters()).hasSize(2).doesNotHaveDuplicates();
    assertThat(net.namedParameters()).containsOnlyKeys("0.weight", "0.bias");
    assertThat(net.parameters()).extracting(Tensor::name).containsExactly("0.weight", "0.bias");
    Sequential outer = new Sequential(net, net);
    assertThat(outer.namedParameters()).containsOnlyKeys("0.0.weight", "0.0.bias");
    assertThat(outer.parameters())
        .extracting(Tensor::name)
        .containsExactly("0.0.weight", "0.0.bias");
  }

  @Test
  void theStateHasAllNamesAsTorchsHas() {
    assertThat(tied(1).state().tensors().keySet())
        .containsExactly("0.weight", "0.bias", "2.weight", "2.bias");
  }

  @Test
  void aTiedBufferIsListedOnce() {
    BatchNorm norm = new BatchNorm(2);
    Sequential net = new Sequential(norm, norm);
    assertThat(net.namedBuffers())
        .containsOnlyKeys("0.running_mean", "0.running_var", "0.num_batches_tracked");
    assertThat(Summary.of(net).bytes()).isEqualTo(Summary.of(norm).bytes());
  }

  @Test
  void aSavedStateIsLoadedAndTheTieStays() {
    Path file = folder.resolve("net.safetensors");
    Sequential saved = tied(1);
    saved.state().save(file);
    Sequential net = tied(2);
    net.load(StateDict.read(file));
    Tensor x = Tensor.of(1, 2).reshape(1, 2);
    assertThat(net.forward(x).values()).containsExactly(saved.forward(x).values());
    net.parameters().getFirst().update(_ -> new float[] {1, 2, 3, 4});
    assertThat(Objects.requireNonNull(net.state().tensors().get("2.weight")).values())
        .containsExactly(1, 2, 3, 4);
  }

  @Test
  void oneOfTheNamesIsEnough() {
    StateDict second = tied(1).state().select(name -> name.startsWith("2."));
    Sequential net = tied(2);
    net.load(second);
    assertThat(net.parameters().getFirst().values())
        .containsExactly(Objects.requireNonNull(second.tensors().get("2.weight")).values());
    assertThat(net.loadMatching(second).missing()).isEmpty();
    assertThat(net.loadMatching(second.select(name -> name.endsWith("weight"))).missing())
        .containsExactly("0.bias", "2.bias");
  }

  @Test
  void differentValuesForTheNamesOfOneParameterAreRefused() {
    Map<String, Tensor> tensors = new LinkedHashMap<>(tied(1).state().tensors());
    tensors.put("2.bias", Tensor.of(7, 8));
    Sequential net = tied(2);
    float[] before = net.parameters().getFirst().values();
    String message = "load: 0.bias and 2.bias are the same parameter, but their values differ";
    assertThatThrownBy(() -> net.load(new StateDict(tensors))).hasMessage(message);
    assertThatThrownBy(() -> net.loadMatching(new StateDict(tensors))).hasMessage(message);
    assertThat(net.parameters().getFirst().values()).isSameAs(before);
  }

  @Test
  void gradientsOfAllPlacesAddUp() {
    Sequential net = tied(1);
    Linear first = new Linear(2, 2, new SplittableRandom(2));
    Linear second = new Linear(2, 2, new SplittableRandom(3));
    first.load(
        net.state().select(name -> name.startsWith("0.")).renamed(name -> name.substring(2)));
    second.load(first.state());
    Tensor x = Tensor.randn(new SplittableRandom(4), 5, 2);
    net.forward(x).sum().backward();
    second.forward(first.forward(x).relu()).sum().backward();
    assertThat(net.gradients()).hasSize(2);
    for (int i = 0; i < 2; i++) {
      Tensor expected = first.gradients().get(i).add(second.gradients().get(i));
      assertThat(net.gradients().get(i).values()).containsExactly(expected.values(), within(1e-5f));
    }
    net.to(DType.FLOAT64);
    assertThat(net.parameters()).extracting(Tensor::dtype).containsOnly(DType.FLOAT64);
  }

  @Test
  void aSummaryCountsATiedParameterOnce() {
    Summary summary = Summary.of(tied(1));
    assertThat(summary.parameters()).isEqualTo(6);
    assertThat(summary.rows()).extracting(Summary.Row::parameters).containsExactly(0L, 6L, 0L);
    assertThat(summary.toString().lines().map(String::stripTrailing))
        .containsExactly(
            "layer  type        shapes                             parameters",
            "       Sequential",
            "0      Linear      weight [2, 2], bias [2]                     6",
            "2      Linear      weight [2, 2] tied, bias [2] tied",
            "6 parameters, 0 of them frozen, 24 bytes");
  }
}
