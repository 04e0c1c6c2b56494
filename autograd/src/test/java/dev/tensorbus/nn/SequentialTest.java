// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.activation.Gelu;
import dev.tensorbus.nn.activation.LeakyRelu;
import dev.tensorbus.nn.activation.LogSoftmax;
import dev.tensorbus.nn.activation.Relu;
import dev.tensorbus.nn.activation.Sigmoid;
import dev.tensorbus.nn.activation.Silu;
import dev.tensorbus.nn.activation.Softmax;
import dev.tensorbus.nn.activation.Softplus;
import dev.tensorbus.nn.activation.Tanh;
import dev.tensorbus.nn.convolution.Conv2d;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.pooling.MaxPool2d;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class SequentialTest {
  private final RandomGenerator random = new SplittableRandom(1);
  private final Tensor images = Tensor.randn(random, 2, 1, 8, 8);

  @Test
  void eachPartTakesTheResultOfTheOneBefore() {
    Conv2d conv = new Conv2d(1, 3, 3, random);
    Linear linear = new Linear(27, 4, random);
    Sequential net =
        new Sequential(conv, new Relu(), new MaxPool2d(2), new Flatten(), linear, Tensor::tanh);
    Tensor expected = linear.forward(conv.forward(images).relu().maxPool2d(2).flatten(1)).tanh();
    assertThat(net.forward(images).values()).containsExactly(expected.values());
  }

  @Test
  void namesAreTorchsNumbersFunctionsIncluded() {
    Sequential net =
        new Sequential(
            Tensor::relu,
            new Linear(2, 3, random),
            new Sequential(new Relu(), new Linear(3, 1, random)));
    assertThat(net.namedParameters().keySet())
        .containsExactly("1.weight", "1.bias", "2.1.weight", "2.1.bias");
    assertThat(net.parts()).hasSize(3);
  }

  @Test
  void evaluationReachesAllParts() {
    Dropout dropout = new Dropout(0.5f, random);
    Sequential net = new Sequential(new Sequential(dropout));
    net.eval();
    assertThat(dropout.isTraining()).isFalse();
  }

  @Test
  void noPartsGiveTheInput() {
    assertThat(new Sequential().forward(images)).isSameAs(images);
  }

  @Test
  void shapesThatDoNotFitAreThePartsToRefuse() {
    Sequential net = new Sequential(new Flatten(), new Linear(5, 1, random));
    assertThatThrownBy(() -> net.forward(images)).isInstanceOf(ShapeException.class);
  }

  @Test
  void activationsAreTheTensorsOwnOperations() {
    Map<Forward, UnaryOperator<Tensor>> expected = new LinkedHashMap<>();
    expected.put(new Relu(), Tensor::relu);
    expected.put(new LeakyRelu(), x -> x.leakyRelu(0.01));
    expected.put(new LeakyRelu(0.2), x -> x.leakyRelu(0.2));
    expected.put(new Sigmoid(), Tensor::sigmoid);
    expected.put(new Tanh(), Tensor::tanh);
    expected.put(new Silu(), Tensor::silu);
    expected.put(new Gelu(), Tensor::gelu);
    expected.put(new Softplus(), Tensor::softplus);
    expected.put(new Softmax(1), x -> x.softmax(1));
    expected.put(new LogSoftmax(1), x -> x.logSoftmax(1));
    Tensor x = Tensor.randn(random, 3, 5);
    expected.forEach(
        (layer, operation) ->
            assertThat(layer.forward(x).values())
                .as(layer.getClass().getSimpleName())
                .containsExactly(operation.apply(x).values()));
  }

  @Test
  void aListRegistersItsLayersByNumber() {
    LayerList<Linear> blocks = LayerList.of(2, i -> new Linear(i + 1, 1, random));
    assertThat(blocks.namedParameters().keySet())
        .containsExactly("0.weight", "0.bias", "1.weight", "1.bias");
    assertThat(blocks).hasSize(blocks.size()).containsExactly(blocks.get(0), blocks.get(1));
    assertThat(new LayerList<>(List.of()).parameters()).isEmpty();
  }
}
