// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptimizerTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final RandomGenerator random = new SplittableRandom(SEED);
  private final Tensor parameter = parameter(1);

  @Test
  void stepGoesByTheGradientsOfBackward() {
    Optimizer optimizer = new Sgd(0.5f).over(List.of(parameter));
    parameter.add(parameter).backward();
    optimizer.step();
    assertThat(parameter.item()).isEqualTo(0f);
  }

  @Test
  void zeroGradForgetsTheGradients() {
    Optimizer optimizer = new Sgd(0.5f).over(List.of(parameter));
    parameter.add(parameter).backward();
    optimizer.zeroGrad();
    assertThat(parameter.grad()).isNull();
  }

  @Test
  void stepGoesByGradientsThatAreKeptElsewhere() {
    Map<Tensor, Tensor> gradients = Map.of(parameter, Tensor.of(2f));
    new Sgd(0.25f).over(List.of(parameter)).step(gradients::get);
    assertThat(parameter.item()).isEqualTo(0.5f);
    assertThat(parameter.grad()).isNull();
  }

  @Test
  void aStepByMeansGoesBySumsThatAreDivided() {
    Tensor values = Tensor.randn(random, 3, 1100);
    List<Tensor> gradients = Stream.generate(() -> Tensor.randn(random, 3, 1100)).limit(4).toList();
    Tensor sum = gradients.stream().reduce(Tensor::add).orElseThrow();
    OptimizerSpec spec = new Sgd(0.1).withMomentum(0.9);
    Tensor expected = Tensor.parameterOf(values);
    Tensor actual = Tensor.parameterOf(values);
    Optimizer bySum = spec.over(List.of(expected));
    Optimizer byMeans = spec.over(List.of(actual));
    for (int step = 0; step < 3; step++) {
      bySum.step(_ -> sum.scale(0.25));
      byMeans.stepByMeans(_ -> gradients);
      assertThat(actual.values()).as("-Dseed=%d", SEED).isEqualTo(expected.values());
    }
  }

  @Test
  void largeParametersAreUpdatedAsSmallOnesAre() {
    List<Tensor> values = Stream.generate(() -> Tensor.randn(random, 600, 500)).limit(4).toList();
    List<Tensor> parameters = values.stream().map(Tensor::parameterOf).toList();
    Map<Tensor, Tensor> gradients =
        parameters.stream().collect(Collectors.toMap(p -> p, _ -> Tensor.randn(random, 600, 500)));
    new Sgd(0.5).over(parameters).step(gradients::get);
    for (int i = 0; i < values.size(); i++) {
      Tensor gradient = Objects.requireNonNull(gradients.get(parameters.get(i)));
      assertThat(parameters.get(i).values())
          .isEqualTo(values.get(i).sub(gradient.scale(0.5)).values());
    }
  }

  @Test
  void aGradientThatDoesNotFitIsReportedBesideLargeOnes() {
    List<Tensor> parameters =
        Stream.generate(() -> Tensor.parameterOf(Tensor.zeros(600, 500))).limit(3).toList();
    Optimizer optimizer = new Sgd(1).over(parameters);
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(
            () ->
                optimizer.step(
                    parameter ->
                        parameter == parameters.get(1)
                            ? Tensor.zeros(500, 600)
                            : Tensor.zeros(600, 500)))
        .withMessageContaining(
            "gradient float32 [500, 600] does not fit parameter float32 [600, 500]");
  }

  @Test
  void aStepByMeansOfNoneChangesNothing() {
    float[] before = parameter.values();
    new Sgd(1).over(List.of(parameter)).stepByMeans(_ -> List.of());
    assertThat(parameter.values()).isSameAs(before);
  }

  @Test
  void aStepByMeansTakesSparseGradientsAndOthers() {
    Tensor table = Tensor.parameterOf(Tensor.ones(3, 2));
    Tensor one = rows(table.shape(), Tensor.ones(1, 2), 0);
    Tensor two = rows(table.shape(), Tensor.ones(2, 2), 0, 2);
    Optimizer optimizer = new Sgd(1).over(List.of(table));
    optimizer.stepByMeans(_ -> List.of(one, two));
    assertThat(table.values()).containsExactly(0, 0, 1, 1, 0.5f, 0.5f);
    optimizer.stepByMeans(_ -> List.of(Tensor.ones(3, 2), two));
    assertThat(table.values()).containsExactly(-1, -1, 0.5f, 0.5f, -0.5f, -0.5f);
  }

  @Test
  void parameterWithoutGradientKeepsValuesAndVelocity() {
    Optimizer optimizer =
        new Sgd(1f).withMomentum(0.5f).withWeightDecay(0.5f).over(List.of(parameter));
    float[] before = parameter.values();
    optimizer.step();
    assertThat(parameter.values()).isSameAs(before);
    optimizer.step(_ -> Tensor.of(1f));
    assertThat(parameter.item()).as("the first velocity is undamped").isEqualTo(-0.5f);
  }

  @Test
  void stepGivesANewVersionAndLeavesTheOldOneAlone() {
    float[] before = parameter.values();
    new Sgd(1f).over(List.of(parameter)).step(_ -> Tensor.of(1f));
    assertThat(before).containsExactly(1f);
    assertThat(parameter.item()).isEqualTo(0f);
  }

  @Test
  void concurrentStepsOfManyOptimizersAllCount() throws ExecutionException, InterruptedException {
    int steps = 10_000;
    List<Tensor> parameters = List.of(parameter(0), parameter(0));
    try (ExecutorService trainers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<? extends Future<?>> running =
          IntStream.range(0, 4)
              .mapToObj(_ -> new Sgd(1f).over(parameters))
              .map(optimizer -> trainers.submit(() -> repeat(optimizer, steps)))
              .toList();
      for (Future<?> trainer : running) {
        trainer.get();
      }
    }
    assertThat(parameters).allSatisfy(p -> assertThat(p.item()).isEqualTo(4f * steps));
  }

  @Test
  void concurrentStepsOfOneOptimizerShareItsVelocity()
      throws ExecutionException, InterruptedException {
    int steps = 100;
    Optimizer optimizer = new Sgd(1f).withMomentum(1f).over(List.of(parameter));
    try (ExecutorService trainers = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> one = trainers.submit(() -> repeat(optimizer, steps));
      Future<?> other = trainers.submit(() -> repeat(optimizer, steps));
      one.get();
      other.get();
    }
    assertThat(parameter.item()).as("1 + 1 + 2 + … + 200").isEqualTo(1 + 100f * 201);
  }

  private static void repeat(Optimizer optimizer, int steps) {
    for (int step = 0; step < steps; step++) {
      optimizer.step(_ -> Tensor.of(-1f));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void aLargeParameterIsUpdatedAsItsParts(String name, OptimizerSpec spec) {
    Tensor whole = Tensor.randn(random, 2500);
    Tensor gradient = Tensor.randn(random, 2500);
    assertThat(stepped(spec, whole, gradient).slice(0, 1000, 1100).values())
        .as("seed %s", SEED)
        .isEqualTo(
            stepped(spec, whole.slice(0, 1000, 1100), gradient.slice(0, 1000, 1100)).values());
  }

  static Stream<Arguments> cases() {
    return OptimizerCases.all().entrySet().stream()
        .map(named -> Arguments.of(named.getKey(), named.getValue()));
  }

  private static Tensor stepped(OptimizerSpec spec, Tensor values, Tensor gradient) {
    Tensor stepped = Tensor.parameterOf(values);
    Optimizer optimizer = spec.over(List.of(stepped));
    optimizer.step(_ -> gradient);
    optimizer.step(_ -> gradient);
    return stepped.detach();
  }

  @Test
  void aSparseGradientChangesOnlyItsRowsAndEachOnce() {
    Tensor table = Tensor.parameterOf(Tensor.randn(random, 4, 1500));
    Tensor before = table.detach();
    Tensor gradient = Tensor.randn(random, 3, 1500);
    new Adagrad(1).over(List.of(table)).step(_ -> rows(table.shape(), gradient, 2, 0, 2));
    for (int row : new int[] {1, 3}) {
      assertThat(table.select(0, row).values()).isEqualTo(before.select(0, row).values());
    }
    assertThat(table.select(0, 0).values())
        .isEqualTo(before.select(0, 0).sub(sign(gradient.select(0, 1))).values());
    Tensor sum = gradient.select(0, 0).add(gradient.select(0, 2));
    assertThat(table.select(0, 2).values()).isEqualTo(before.select(0, 2).sub(sign(sum)).values());
  }

  /// Adagrad's first step.
  private static Tensor sign(Tensor x) {
    return x.div(x.mul(x).sqrt().add(Tensor.scalar(1e-10f)));
  }

  private static Tensor rows(Shape shape, Tensor values, int... rows) {
    return Tensor.ofRows(new SparseRows(shape, rows, values));
  }

  @Test
  void refusesSparseGradientsWhereEveryRowWouldChange() {
    Tensor table = Tensor.parameterOf(Tensor.ones(2, 1));
    Tensor sparse = rows(table.shape(), Tensor.ones(1, 1), 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Adam(1).over(List.of(table)).step(_ -> sparse))
        .withMessage(
            "adam: takes no sparse gradients; use SparseAdam, Adagrad or Sgd, or an embedding that"
                + " is not sparse");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Adagrad(1).withWeightDecay(1).over(List.of(table)).step(_ -> sparse))
        .withMessage(
            "adagrad: weight decay changes all rows, so it goes with no sparse gradient; set it to"
                + " 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SparseAdam(1).over(List.of(table)).step(_ -> Tensor.ones(2, 1)))
        .withMessage(
            "sparseadam: takes sparse gradients only; use Adam, or an embedding that is sparse");
    assertThat(table.values()).containsOnly(1);
  }

  @Test
  void aGroupsSettingsStayThoseOfItsOptimizer() {
    Optimizer optimizer = new Sgd(1).over(List.of(parameter));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> optimizer.groups().getFirst().set(new Adam(1)))
        .withMessage(
            "optimizer: adam does not go on with what sgd remembers; make a new optimizer");
  }

  @Test
  void refusesAGradientOfAnotherShape() {
    Optimizer optimizer = new Sgd(1f).over(List.of(parameter));
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> optimizer.step(_ -> Tensor.zeros(2, 3)))
        .withMessageContaining("gradient float32 [2, 3] does not fit parameter float32 [1]");
  }

  @Test
  void refusesWhatItCannotUpdate() {
    Sgd sgd = new Sgd(1f);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of()))
        .withMessage("optimizer: given no parameters, so nothing to learn");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of(parameter, parameter)))
        .withMessage("optimizer: a parameter [1] is given twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of(Tensor.zeros(2))))
        .withMessageContaining("a tensor [2] does not require a gradient");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of(parameter.relu())))
        .withMessageContaining("a tensor [1] was computed from others");
  }

  private static Tensor parameter(float value) {
    return Tensor.parameter(Shape.of(1), new float[] {value});
  }
}
