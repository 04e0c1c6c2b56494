// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
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
  void aStepByTheMeanGoesBySumsThatAreDivided() {
    Tensor values = Tensor.randn(random, 3, 1100);
    List<Tensor> gradients = Stream.generate(() -> Tensor.randn(random, 3, 1100)).limit(4).toList();
    Tensor sum = gradients.stream().reduce(Tensor::add).orElseThrow();
    OptimizerSpec spec = new Sgd(0.1).withMomentum(0.9);
    Tensor expected = Tensor.parameterOf(values);
    Tensor actual = Tensor.parameterOf(values);
    Optimizer bySum = spec.over(List.of(expected));
    Optimizer byMean = spec.over(List.of(actual));
    for (int step = 0; step < 3; step++) {
      bySum.step(_ -> sum.scale(0.25));
      byMean.stepByMean(gradients.stream().map(List::of).toList());
      assertThat(actual.values()).as("-Dseed=%d", SEED).isEqualTo(expected.values());
    }
  }

  @Test
  void largeParametersAreUpdatedAsSmallOnesAre() {
    List<Tensor> values =
        Stream.of(600, 1301, 600, 600).map(rows -> Tensor.randn(random, rows, 500)).toList();
    List<Tensor> parameters = values.stream().map(Tensor::parameterOf).toList();
    Map<Tensor, Tensor> gradients =
        parameters.stream()
            .collect(Collectors.toMap(p -> p, p -> Tensor.randn(random, p.shape().size(0), 500)));
    new Sgd(0.5).over(parameters).step(gradients::get);
    for (int i = 0; i < values.size(); i++) {
      Tensor gradient = Objects.requireNonNull(gradients.get(parameters.get(i)));
      assertThat(parameters.get(i).values())
          .isEqualTo(values.get(i).sub(gradient.scale(0.5)).values());
    }
  }

  @Test
  void largeParametersAreUpdatedOnTheCallersThreadAndThoseOfTheKernels() {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    List<Tensor> parameters =
        Stream.generate(() -> Tensor.parameterOf(Tensor.zeros(600, 500))).limit(8).toList();
    Optimizer optimizer = new ThreadsSpec(threads).over(parameters);
    optimizer.setErrorIfNonFinite(true);
    optimizer.step(_ -> Tensor.ones(600, 500));
    String caller = Thread.currentThread().getName();
    assertThat(threads)
        .isNotEmpty()
        .allMatch(name -> name.equals(caller) || name.startsWith("tensorbus-kernels-"));
  }

  /// Changes nothing and tells which threads it ran on.
  private record ThreadsSpec(Set<String> threads) implements OptimizerSpec {
    @Override
    public double learningRate() {
      return 1;
    }

    @Override
    public OptimizerSpec withLearningRate(double learningRate) {
      return this;
    }

    @Override
    public Map<String, Double> memory() {
      return Map.of();
    }

    @Override
    public UpdateRule rule(long step) {
      return _ -> threads.add(Thread.currentThread().getName());
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
  void aStepByTheMeanOfNoneChangesNothing() {
    float[] before = parameter.values();
    new Sgd(1).over(List.of(parameter)).stepByMean(List.of());
    assertThat(parameter.values()).isSameAs(before);
  }

  @Test
  void aStepByTheMeanTakesAGradientForEachParameter() {
    Tensor weight = Tensor.parameterOf(Tensor.ones(1, 2));
    Optimizer optimizer = new Sgd(1).over(List.of(weight, parameter));
    Tensor ones = Tensor.ones(1, 2);
    optimizer.stepByMean(
        List.of(List.of(ones, Tensor.of(1f)), List.of(ones.scale(3), Tensor.of(0f))));
    assertThat(weight.values()).containsExactly(-1, -1);
    assertThat(parameter.item()).isEqualTo(0.5f);
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> optimizer.stepByMean(List.of(List.of(ones))))
        .withMessageContaining(
            "gradients [float32 [1, 2]] do not fit parameters [float32 [1, 2], float32 [1]]");
    assertThat(parameter.item()).isEqualTo(0.5f);
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
  void aFrozenParameterIsTakenAndLeftAlone() {
    Linear layer = new Linear(2, 2, random);
    Tensor weight = Objects.requireNonNull(layer.namedParameters().get("weight"));
    Tensor bias = Objects.requireNonNull(layer.namedParameters().get("bias"));
    weight.requiresGrad(false);
    float[] before = weight.values();
    Optimizer optimizer =
        new Sgd(0.5)
            .withWeightDecay(0.5)
            .over(List.of(weight, bias, Tensor.ones(2))); // a leaf that never required a gradient
    layer.forward(Tensor.ones(1, 2)).sum().backward();
    assertThat(weight.grad()).isNull();
    float[] biasBefore = bias.values();
    optimizer.step();
    assertThat(weight.values()).isSameAs(before);
    assertThat(bias.values()).isNotEqualTo(biasBefore);
    layer.requiresGrad(true);
    layer.forward(Tensor.ones(1, 2)).sum().backward();
    optimizer.step();
    assertThat(weight.values()).isNotEqualTo(before);
  }

  @Test
  void aStepByTheMeanTakesGradientsOfTheParametersThatAreNotFrozen() {
    Linear layer = new Linear(2, 2, random);
    Tensor weight = layer.parameters().getFirst();
    weight.requiresGrad(false);
    float[] before = weight.values();
    Optimizer optimizer = new Sgd(1).over(layer.parameters());
    layer.forward(Tensor.ones(1, 2)).sum().backward();
    float[] bias = layer.parameters().getLast().values();
    optimizer.stepByMean(List.of(layer.gradients(), layer.gradients()));
    assertThat(weight.values()).isSameAs(before);
    assertThat(layer.parameters().getLast().values()).containsExactly(bias[0] - 1, bias[1] - 1);
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> optimizer.stepByMean(List.of(layer.parameters())))
        .withMessageContaining("do not fit parameters [float32 [2]]");
  }

  @Test
  void aGradientThatDoesNotFitChangesNoParameter() {
    Tensor other = parameter(1);
    Optimizer optimizer = new Sgd(1).over(List.of(parameter, other));
    assertThatExceptionOfType(ShapeException.class)
        .isThrownBy(() -> optimizer.step(p -> p == other ? Tensor.zeros(2) : Tensor.ones(1)));
    assertThat(parameter.item()).isEqualTo(1);
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
  void aGroupsSettingsStayThoseOfItsOptimizer() {
    Optimizer optimizer = new Sgd(1).over(List.of(parameter));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> optimizer.groups().getFirst().set(new Adam(1)))
        .withMessage("optimizer: adam cannot use the state of sgd; create a new optimizer");
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
        .withMessage("optimizer: no parameters; pass at least one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of(parameter, parameter)))
        .withMessage("optimizer: a parameter [1] is given twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of(Tensor.ofLongs(1, 2))))
        .withMessage(
            "optimizer: a tensor int64 [2] cannot be a parameter; expected float32 or float64");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of(parameter.relu())))
        .withMessageContaining("a tensor [1] is not a leaf");
  }

  private static Tensor parameter(float value) {
    return Tensor.parameter(Shape.of(1), new float[] {value});
  }
}
