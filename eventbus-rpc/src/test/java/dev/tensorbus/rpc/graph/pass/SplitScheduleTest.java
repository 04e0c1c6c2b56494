// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.BackwardPass;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.nn.recurrent.Lstm;
import dev.tensorbus.nn.recurrent.RecurrentOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SplitScheduleTest {
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<String> seen = new ArrayList<>();
  private final List<Tensor> gradients = new ArrayList<>();
  private final List<Runnable> beside = new ArrayList<>();
  private final SplitSchedule schedule = new SplitSchedule(beside::add);

  /// Where somebody else waits for gradients.
  private static final class Elsewhere extends Node {
    private Elsewhere() {
      super(1, List.of());
    }

    @Override
    protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
      throw new IllegalStateException("an end is not run");
    }

    @Override
    public String toString() {
      return "elsewhere";
    }
  }

  private Tensor random(int rows, int columns) {
    return Tensor.randn(random, rows, columns);
  }

  private static Tensor from(Node node, Tensor values) {
    return Tensor.recorded(values, new Edge(node, 0));
  }

  /// A pass of which so many ends are elsewhere.
  private BackwardPass pass(int elsewhere, Tensor... roots) {
    for (int end = 0; end < elsewhere; end++) {
      schedule.expectReceive();
    }
    return new BackwardPass(
        Arrays.stream(roots).map(SplitScheduleTest::node).toList(),
        (end, gradient) -> {
          seen.add(end.toString());
          gradients.add(Objects.requireNonNull(gradient[0]));
          if (end instanceof Elsewhere) {
            schedule.answeredReceive();
          }
        },
        schedule);
  }

  private static Node node(Tensor root) {
    return Objects.requireNonNull(root.gradientEdge().node());
  }

  private static void resolve(BackwardPass pass, Tensor root, Tensor gradient) {
    pass.resolve(node(root), List.of(gradient));
  }

  @Test
  void whatOthersWaitForComesBeforeTheGradientsOfLeaves() {
    Tensor x = random(64, 256);
    Tensor weight = Tensor.parameterOf(random(256, 256));
    Tensor gradient = random(64, 256);
    Tensor y = from(new Elsewhere(), x).matmul(weight);
    BackwardPass pass = pass(1, y);
    resolve(pass, y, gradient);
    assertThat(seen).containsExactly("elsewhere");
    schedule.giveToLeaves(pass);
    assertThat(seen).as("nothing is computed yet").containsExactly("elsewhere");
    assertThat(pass.isDone()).isFalse();
    beside.removeFirst().run();
    schedule.giveToLeaves(pass);
    assertThat(seen).containsExactly("elsewhere", "leaf [256, 256]");
    assertThat(pass.isDone()).isTrue();
    assertThat(beside).isEmpty();
    assertThat(gradients.get(0).values())
        .isEqualTo(gradient.matmul(weight.transpose(0, 1)).values());
    assertThat(gradients.get(1).values()).isEqualTo(x.transpose(0, 1).matmul(gradient).values());
  }

  @Test
  void aRecurrentLayersWeightsComeAfterWhatItWasGiven() {
    Lstm lstm = new Lstm(RecurrentOptions.of(64, 64).withLayers(2), random);
    Tensor x = Tensor.randn(random, 32, 8, 64);
    Tensor gradient = Tensor.randn(random, 32, 8, 64);
    Tensor zeros = Tensor.zeros(2, 8, 64);
    Lstm.State state = new Lstm.State(zeros, zeros);
    Tensor whole = Tensor.parameterOf(x);
    lstm.forward(whole, state).sequence().mul(gradient).sum().backward();
    Tensor y = lstm.forward(from(new Elsewhere(), x), state).sequence();
    BackwardPass pass = pass(1, y);
    resolve(pass, y, gradient);
    assertThat(seen).containsExactly("elsewhere");
    assertThat(gradients.getFirst().values()).isEqualTo(gradientOf(whole));
    assertThat(beside).as("one for each layer").hasSize(2);
    beside.forEach(Runnable::run);
    schedule.giveToLeaves(pass);
    assertThat(pass.isDone()).isTrue();
    List<float[]> found = gradients.stream().skip(1).map(Tensor::values).toList();
    List<float[]> expected = lstm.parameters().stream().map(SplitScheduleTest::gradientOf).toList();
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static float[] gradientOf(Tensor leaf) {
    return Objects.requireNonNull(leaf.grad()).values();
  }

  @Test
  void nothingIsSplitWhereNobodyWaits() {
    Tensor y = weightOf(64, 256).matmul(weightOf(256, 256));
    BackwardPass pass = pass(0, y);
    resolve(pass, y, random(64, 256));
    assertThat(seen).containsExactly("leaf [64, 256]", "leaf [256, 256]");
    assertThat(beside).isEmpty();
    assertThat(pass.isDone()).isTrue();
  }

  @Test
  void nothingIsSplitThatIsSoonDone() {
    Tensor y = from(new Elsewhere(), random(2, 2)).linear(weightOf(2, 2), Tensor.zeros(2));
    BackwardPass pass = pass(1, y);
    resolve(pass, y, random(2, 2));
    assertThat(seen).containsExactly("elsewhere", "leaf [2, 2]");
    assertThat(beside).isEmpty();
    assertThat(pass.isDone()).isTrue();
  }

  @Test
  void leavesGetWhatTheyGetInTheOrderOfTheSweep() {
    Tensor first =
        from(new Elsewhere(), random(256, 64)).linear(weightOf(256, 64), Tensor.zeros(256));
    Tensor second = from(new Elsewhere(), random(2, 2)).linear(weightOf(2, 2), Tensor.zeros(2));
    Tensor third =
        from(new Elsewhere(), random(256, 128)).linear(weightOf(128, 128), Tensor.zeros(128));
    Tensor waiting = from(new Elsewhere(), random(1, 1));
    BackwardPass pass = pass(4, first, second, third, waiting);
    resolve(pass, first, random(256, 256));
    resolve(pass, second, random(2, 2));
    resolve(pass, third, random(256, 128));
    assertThat(seen).containsOnly("elsewhere").hasSize(3);
    beside.get(1).run();
    schedule.giveToLeaves(pass);
    assertThat(seen).as("the first is not computed yet").hasSize(3);
    beside.get(0).run();
    schedule.giveToLeaves(pass);
    assertThat(seen.subList(3, 6))
        .containsExactly("leaf [256, 64]", "leaf [2, 2]", "leaf [128, 128]");
    assertThat(pass.isDone()).isFalse();
    resolve(pass, waiting, random(1, 1));
    assertThat(pass.isDone()).isTrue();
  }

  private Tensor weightOf(int outputs, int inputs) {
    return Tensor.parameterOf(random(outputs, inputs));
  }
}
