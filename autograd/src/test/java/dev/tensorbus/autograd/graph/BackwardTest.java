// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Embeddings;
import dev.tensorbus.nn.functional.Losses;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BackwardTest {
  private final Tensor x = Tensor.parameter(Shape.of(2), new float[] {2, 3});

  @Test
  void severalRootsAddUp() {
    Tensor squares = x.mul(x);
    Backward.from(squares.sum()).and(squares, Tensor.of(10, 100)).and(x.sum()).run();
    assertThat(values(x.grad())).containsExactly(4 + 40 + 1, 6 + 600 + 1);
  }

  @Test
  void aGivenGradientIsTheRootsGradient() {
    Backward.from(x.scale(2), Tensor.of(1, 10)).run();
    assertThat(values(x.grad())).containsExactly(2, 20);
  }

  @Test
  void aGraphIsKeptForTheNextPass() {
    Tensor loss = x.mul(x).sum();
    loss.backward();
    loss.backward();
    assertThat(values(x.grad())).containsExactly(8, 12);
  }

  @Test
  void sumsOfManyUsesTouchNoGradientThatSomebodyHolds() {
    Tensor given = Tensor.of(1, 1);
    Backward.from(x, given).and(x, given).and(x, given).and(x, given).run();
    assertThat(values(x.grad())).containsExactly(4, 4);
    Tensor before = Objects.requireNonNull(x.grad());
    x.add(x).add(x).sum().backward();
    assertThat(values(x.grad())).containsExactly(7, 7);
    assertThat(before.values()).containsExactly(4, 4);
    assertThat(given.values()).containsExactly(1, 1);
  }

  @Test
  void gradientsOfChosenTensorsLeaveTheLeavesAlone() {
    Tensor square = x.mul(x);
    Tensor unused = Tensor.parameter(Shape.of(1), new float[] {1});
    List<@Nullable Tensor> gradients =
        Backward.from(square.mul(square).sum()).gradientsOf(x, square, unused);
    assertThat(values(gradients.get(0))).containsExactly(32, 108);
    assertThat(values(gradients.get(1))).containsExactly(8, 18);
    assertThat(gradients.get(2)).isNull();
    assertThat(x.grad()).isNull();
  }

  @Test
  void gradientsHaveNoGraphUnlessThePassCreatesOne() {
    Tensor gradient = Backward.from(x.mul(x).sum()).gradientsOf(x).get(0);
    refused(
        () -> Objects.requireNonNull(gradient).sum().backward(),
        "backward: neither this tensor nor any that it was computed from requires a gradient;"
            + " results of remote calls require one only in a DistAutograd.context, and gradients"
            + " only after a pass with createGraph");
  }

  @Test
  void gradientsOfGradientsOfGradients() {
    Tensor cube = x.mul(x).mul(x).sum();
    Tensor first = gradient(cube);
    Tensor second = gradient(first.sum());
    assertThat(first.values()).containsExactly(12, 27);
    assertThat(second.values()).containsExactly(12, 18);
    assertThat(gradient(second.sum()).values()).containsExactly(6, 6);
    assertThat(x.grad()).isNull();
  }

  private Tensor gradient(Tensor of) {
    return Objects.requireNonNull(Backward.from(of).createGraph().gradientsOf(x).getFirst());
  }

  @Test
  void accumulatedGradientsKeepTheirGraphAndGrow() {
    Backward.from(x.mul(x).sum()).createGraph().run();
    Backward.from(x.mul(x).sum()).createGraph().run();
    Tensor sum = Objects.requireNonNull(x.grad());
    assertThat(sum.values()).containsExactly(8, 12);
    assertThat(values(Backward.from(sum.mul(sum).sum()).gradientsOf(x).getFirst()))
        .containsExactly(64, 96);
    x.sum().backward();
    assertThat(Objects.requireNonNull(x.grad()).requiresGrad()).isFalse();
  }

  @Test
  void aGivenGradientHasAGradientToo() {
    Tensor given = Tensor.parameter(Shape.of(2), new float[] {5, 7});
    Tensor product = Backward.from(x.mul(x), given).createGraph().gradientsOf(x).getFirst();
    assertThat(
            values(Backward.from(Objects.requireNonNull(product).sum()).gradientsOf(given).get(0)))
        .containsExactly(4, 6);
  }

  @Test
  void aPassForChosenTensorsRunsNothingElse() {
    Tensor y = x.scale(2);
    Tensor other = Tensor.parameter(Shape.of(2), new float[] {1, 1});
    Tensor used = other.scale(3);
    used.registerHook(
        gradient -> {
          throw new AssertionError("not on the way to y");
        });
    Tensor loss = y.mul(used).sum();
    x.registerHook(
        gradient -> {
          throw new AssertionError("behind y");
        });
    assertThat(values(Backward.from(loss).gradientsOf(y).getFirst())).containsExactly(3, 3);
  }

  @Test
  void sparseGradientsHaveAGraphAndAddUpToDenseOnes() {
    Tensor table = Tensor.parameter(Shape.of(3, 2), new float[] {1, 2, 3, 4, 5, 6});
    Tensor rows = Embeddings.embedding(Tensor.ofLongs(2, 2), table, true);
    Backward.from(rows.mul(rows).sum()).createGraph().run();
    Tensor once = Objects.requireNonNull(table.grad());
    assertThat(Objects.requireNonNull(once.sparseRows()).rows()).containsExactly(2, 2);
    Backward.from(rows.mul(rows).sum()).createGraph().run();
    Tensor twice = Objects.requireNonNull(table.grad());
    assertThat(twice.sparseRows()).isNull();
    assertThat(twice.values()).containsExactly(0, 0, 0, 0, 40, 48);
    assertThat(values(Backward.from(twice.sum()).gradientsOf(table).getFirst()))
        .containsExactly(0, 0, 0, 0, 8, 8);
  }

  @Test
  void aHookInAPassThatCreatesAGraphIsRecorded() {
    Tensor y = x.scale(1);
    y.registerHook(gradient -> gradient.mul(x));
    Tensor first = gradient(y.sum());
    assertThat(first.values()).containsExactly(2, 3);
    assertThat(gradient(first.sum()).values()).containsExactly(1, 1);
  }

  /// A function that a user wrote: `x` squared.
  private static final class Square extends Node {
    private final Tensor x;

    private Square(Tensor x) {
      super(1, List.of(x.gradientEdge()));
      this.x = x.detach();
    }

    @Override
    protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
      return new Tensor[] {Objects.requireNonNull(gradients[0]).mul(x.scale(2))};
    }

    @Override
    public String toString() {
      return "square";
    }
  }

  @Test
  void aFunctionThatDoesNotSayItRecordsHasNoSecondDerivative() {
    Tensor y = Tensor.recorded(x.detach().mul(x.detach()), new Edge(new Square(x), 0));
    Tensor gradient = gradient(y.sum());
    assertThat(gradient.values()).containsExactly(4, 6);
    refused(
        () -> gradient.sum().backward(),
        "backward: square has no second derivative, because it does not record how it computes its"
            + " gradients; detach them, or compute this part with other operations");
  }

  @Test
  void aHookSeesTheWholeGradientAndMayReplaceIt() {
    List<float[]> seen = new ArrayList<>();
    Tensor y = x.scale(2);
    Node.Hook hook =
        y.registerHook(
            gradient -> {
              seen.add(gradient.values());
              return gradient.scale(10);
            });
    Tensor loss = y.mul(y).add(y).sum();
    loss.backward();
    assertThat(seen).hasSize(1);
    assertThat(seen.get(0)).containsExactly(9, 13);
    assertThat(values(x.grad())).containsExactly(180, 260);
    hook.remove();
    x.zeroGrad();
    loss.backward();
    assertThat(seen).hasSize(1);
    assertThat(values(x.grad())).containsExactly(18, 26);
  }

  @Test
  void aHookOnALeafSeesWhatIsAccumulated() {
    x.registerHook(gradient -> gradient.clamp(-1, 1));
    x.scale(5).sum().backward();
    assertThat(values(x.grad())).containsExactly(1, 1);
  }

  @Test
  void whatIsComputedKeepsItsGradientOnlyIfItRetainsIt() {
    Tensor y = x.scale(2);
    Tensor z = y.mul(y);
    y.retainGrad();
    y.retainGrad();
    x.retainGrad();
    z.sum().backward();
    assertThat(values(y.grad())).containsExactly(8, 12);
    assertThat(values(x.grad())).containsExactly(16, 24);
    assertThat(z.grad()).isNull();
    z.sum().backward();
    assertThat(values(y.grad())).containsExactly(16, 24);
  }

  /// The first pass takes what the forward pass has kept, and later ones compute it.
  @Test
  void everyPassOfACrossEntropyFindsTheSameGradient() {
    Tensor x = Tensor.parameterOf(Tensor.of(Shape.of(2, 3), new float[] {1, -2, 3, 0.5f, 0, 4}));
    Tensor loss = Losses.crossEntropy(x, Tensor.ofLongs(2, 0));
    loss.backward();
    float[] first = Objects.requireNonNull(x.grad()).values().clone();
    x.zeroGrad();
    loss.backward();
    assertThat(Objects.requireNonNull(x.grad()).values()).isEqualTo(first);
    x.zeroGrad();
    loss.scale(4).backward();
    assertThat(Objects.requireNonNull(x.grad()).values())
        .isEqualTo(Tensor.of(Shape.of(2, 3), first).scale(4).values());
  }

  @Test
  void whatDoesNotFitIsRefused() {
    refused(
        () -> Backward.from(x),
        "backward: [2] is not a single value; pass the gradient to start from");
    refused(() -> Backward.from(x, Tensor.scalar(1)), "backward: gradient [] does not fit [2]");
    refused(
        () -> Backward.from(x.sum()).gradientsOf(Tensor.of(1)),
        "gradientsOf: tensor [1] requires no gradient");
    refused(
        () -> Tensor.of(1).registerHook(gradient -> gradient),
        "registerHook: this tensor requires no gradient");
    refused(() -> Tensor.of(1).retainGrad(), "retainGrad: this tensor requires no gradient");
    x.registerHook(Tensor::sum);
    refused(() -> x.sum().backward(), "hook: float32 [] cannot replace a gradient float32 [2]");
  }

  private static float[] values(@Nullable Tensor x) {
    return Objects.requireNonNull(x).values();
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(RuntimeException.class).hasMessage(message);
  }
}
