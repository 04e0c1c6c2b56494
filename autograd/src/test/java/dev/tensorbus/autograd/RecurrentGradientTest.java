// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.graph.GradientCheck;
import dev.tensorbus.autograd.kernel.recurrent.CellKind;
import dev.tensorbus.autograd.op.recurrent.RecurrentOps;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Recurrent layers' derivatives with respect to input, weights and state, of all results.
final class RecurrentGradientTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int HIDDEN = 5;

  private final SplittableRandom random = new SplittableRandom(SEED);

  @ParameterizedTest
  @EnumSource
  void stepsHaveTheDerivativesOfTheirValuesForwardAndBackward(CellKind kind) {
    for (boolean reverse : new boolean[] {false, true}) {
      GradientCheck check = new GradientCheck(random);
      check.checkAll(x -> joined(run(kind, x, reverse)), inputs(kind, 4, 3));
      check.checkAll(x -> run(kind, x, reverse).getLast(), inputs(kind, 3, 2));
      check.checkAll(x -> run(kind, x, reverse).getFirst(), inputs(kind, 1, 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void gradientsHaveGradientsForwardAndBackward(CellKind kind) {
    for (boolean reverse : new boolean[] {false, true}) {
      GradientCheck check = new GradientCheck(random);
      check.checkSecond(x -> joined(run(kind, x, reverse)), inputs(kind, 3, 2));
      check.checkSecond(x -> run(kind, x, reverse).getLast(), inputs(kind, 3, 2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void reverseIsForwardOnTheSequenceFromItsEnd(CellKind kind) {
    List<Tensor> x = List.of(inputs(kind, 4, 3));
    List<Tensor> flipped = new ArrayList<>(x);
    flipped.set(0, x.getFirst().flip(0));
    List<Tensor> forward = run(kind, flipped, false);
    List<Tensor> backward = run(kind, x, true);
    assertThat(backward.getFirst().flip(0).values()).containsExactly(forward.getFirst().values());
    assertThat(backward.getLast().values()).containsExactly(forward.getLast().values());
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyBatchGivesEmptyResults(CellKind kind) {
    List<Tensor> results = run(kind, List.of(inputs(kind, 4, 0)), false);
    assertThat(results.getFirst().shape()).isEqualTo(Shape.of(4, 0, HIDDEN));
    assertThat(results.getLast().shape()).isEqualTo(Shape.of(0, HIDDEN));
  }

  @ParameterizedTest
  @EnumSource
  void shapesThatDoNotFitAreRefused(CellKind kind) {
    String name = RecurrentOps.name(kind);
    Tensor[] inputs = inputs(kind, 4, 3);
    inputs[0] = Tensor.zeros(4, 3, 7);
    assertThatThrownBy(() -> run(kind, List.of(inputs), false))
        .isInstanceOf(ShapeException.class)
        .hasMessage(name + ": [4, 3, 7] is not [steps, batch, 2] with at least one step");
    inputs[0] = Tensor.zeros(0, 3, 2);
    assertThatThrownBy(() -> run(kind, List.of(inputs), false))
        .hasMessage(name + ": [0, 3, 2] is not [steps, batch, 2] with at least one step");
    inputs[0] = Tensor.zeros(4, 6, 2);
    assertThatThrownBy(() -> run(kind, List.of(inputs), false))
        .isInstanceOf(ShapeException.class)
        .hasMessage(name + ": a state of [3, 5] does not fit, expected [6, 5]");
  }

  private static List<Tensor> run(CellKind kind, List<Tensor> x, boolean reverse) {
    return RecurrentOps.recurrent(kind, x.get(0), x.subList(5, x.size()), x.subList(1, 5), reverse);
  }

  private Tensor[] inputs(CellKind kind, int steps, int batch) {
    int sums = kind.gates() * HIDDEN;
    List<Tensor> inputs =
        new ArrayList<>(
            List.of(
                randn(steps, batch, 2),
                randn(sums, 2),
                randn(sums, HIDDEN),
                randn(sums),
                randn(sums),
                randn(batch, HIDDEN)));
    if (kind.hasCell()) {
      inputs.add(randn(batch, HIDDEN));
    }
    return inputs.toArray(Tensor[]::new);
  }

  private Tensor randn(int... sizes) {
    return Tensor.randn(random, sizes);
  }

  private static Tensor joined(List<Tensor> results) {
    return Tensor.concatenate(
        results.stream().map(result -> result.reshape(-1)).collect(Collectors.toList()), 0);
  }
}
