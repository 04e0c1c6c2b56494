// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.Functional;
import dev.tensorbus.nn.activation.LeakyRelu;
import dev.tensorbus.nn.activation.Tanh;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.functional.Normalizations;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Derivatives of derivatives are those of PyTorch; `torch/second.py` made them.
final class SecondDerivativesTest {
  private final Map<String, Tensor> reference = TorchResource.read("second");
  private final List<Tensor> parameters = numbered("p");
  private final List<Tensor> directions = numbered("v");

  @Test
  void aCriticLearnsWithAPenaltyOfItsGradients() {
    SplittableRandom random = new SplittableRandom(1);
    Sequential critic =
        new Sequential(
            new Linear(3, 8, random),
            new Tanh(),
            new Linear(8, 8, random),
            new LeakyRelu(0.2),
            new Linear(8, 1, random));
    critic.to(DType.FLOAT64);
    critic.load(TorchResource.state(reference, "penalty"));
    Tensor real = get("penalty/real");
    Tensor fake = get("penalty/fake");
    Tensor distance = critic.forward(fake).mean().sub(critic.forward(real).mean());
    Tensor mixed = Tensor.parameterOf(fake.add(get("penalty/alpha").mul(real.sub(fake))));
    Tensor loss = distance.add(penalty(critic, mixed).scale(10));
    loss.backward();
    assertClose(loss, "penalty/loss");
    critic
        .namedParameters()
        .forEach(
            (name, x) -> assertClose(Objects.requireNonNull(x.grad()), "penalty/grad." + name));
  }

  private static Tensor penalty(Sequential critic, Tensor mixed) {
    Tensor scores = critic.forward(mixed).sum();
    Tensor gradient =
        Objects.requireNonNull(Backward.from(scores).createGraph().gradientsOf(mixed).getFirst());
    Tensor norms = gradient.mul(gradient).sum(1).sqrt();
    return norms.sub(Tensor.full(Shape.SCALAR, DType.FLOAT64, 1)).pow(2).mean();
  }

  @Test
  void productsWithTheHessianAreTorchs() {
    Tensor labels = Tensor.ofLongs(2, 0, 1);
    List<Tensor> products =
        Functional.hvp(in -> Losses.crossEntropy(logits(in), labels), parameters, directions);
    assertAllClose(products, "hvp");
  }

  @Test
  void productsWithTheJacobianAreTorchs() {
    assertClose(Functional.jvp(this::logits, parameters, directions), "net/jvp");
    assertAllClose(Functional.vjp(this::logits, parameters, get("net/u")), "vjp");
    assertClose(Functional.jacobian(this::logits, parameters).getLast(), "net/jacobian4");
  }

  private Tensor logits(List<Tensor> in) {
    Tensor images = get("net/x").conv2d(in.get(0), in.get(1)).gelu();
    Tensor features = Normalizations.layerNorm(images, in.get(2), in.get(3), 1e-5);
    return features.maxPool2d(2).flatten(1).matmul(in.get(4).transpose(0, 1));
  }

  private List<Tensor> numbered(String kind) {
    return IntStream.range(0, 5).mapToObj(i -> get("net/" + kind + i)).toList();
  }

  private Tensor get(String name) {
    return Objects.requireNonNull(reference.get(name), name);
  }

  private void assertAllClose(List<Tensor> found, String kind) {
    assertThat(found).hasSize(5);
    IntStream.range(0, 5).forEach(i -> assertClose(found.get(i), "net/" + kind + i));
  }

  private void assertClose(Tensor found, String name) {
    Tensor expected = get(name);
    assertThat(found.shape()).as(name).isEqualTo(expected.shape());
    for (int i = 0; i < expected.doubles().length; i++) {
      assertThat(found.doubles()[i]).as(name).isCloseTo(expected.doubles()[i], within(1e-10));
    }
  }
}
