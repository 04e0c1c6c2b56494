// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.TableVersion;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Embedding;
import dev.tensorbus.nn.EmbeddingBag;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.functional.Embeddings;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.ArrayList;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
  void aStepByTheMeanTakesSparseGradientsAndOthers() {
    Tensor table = Tensor.parameterOf(Tensor.ones(3, 2));
    Tensor one = rows(table.shape(), Tensor.ones(1, 2), 0);
    Tensor two = rows(table.shape(), Tensor.ones(2, 2), 0, 2);
    Optimizer optimizer = new Sgd(1).over(List.of(table));
    optimizer.stepByMean(List.of(List.of(one), List.of(two)));
    assertThat(table.values()).containsExactly(0, 0, 1, 1, 0.5f, 0.5f);
    optimizer.stepByMean(List.of(List.of(Tensor.ones(3, 2)), List.of(two)));
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

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void aStepByAGradientThatIsNotFiniteChangesNothing(String name, OptimizerSpec spec) {
    Linear layer = new Linear(64, 32, random);
    List<Tensor> parameters = layer.parameters();
    List<Tensor> twin = parameters.stream().map(Tensor::parameterOf).toList();
    Optimizer optimizer = spec.over(parameters);
    Optimizer expected = spec.over(twin);
    for (int step = 0; step < 3; step++) {
      Tensor weightGradient = Tensor.randn(random, 32, 64);
      Tensor biasGradient = Tensor.randn(random, 32);
      int place = random.nextInt(32);
      float value = new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}[step];
      float[] bad = biasGradient.values().clone();
      bad[place] = value;
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .as("-Dseed=%d", SEED)
          .isThrownBy(
              () ->
                  optimizer.step(p -> p == parameters.getFirst() ? weightGradient : Tensor.of(bad)))
          .withMessage(
              "step: the gradient of bias float32 [32] is %s at %d; nothing was changed. Look for"
                      .formatted(value, place)
                  + " what is not finite in the loss, or skip such steps with"
                  + " setErrorIfNonFinite(false)");
      optimizer.step(p -> p == parameters.getFirst() ? weightGradient : biasGradient);
      expected.step(p -> p == twin.getFirst() ? weightGradient : biasGradient);
    }
    for (int i = 0; i < twin.size(); i++) {
      assertThat(parameters.get(i).values()).as("-Dseed=%d", SEED).isEqualTo(twin.get(i).values());
    }
  }

  @Test
  void stepsByGradientsThatAreNotFiniteAreSkippedAndCountedIfWanted() {
    Optimizer optimizer = new Sgd(1).over(List.of(parameter)).setErrorIfNonFinite(false);
    optimizer.step(_ -> Tensor.of(Float.NaN));
    optimizer.stepByMean(
        List.of(List.of(Tensor.ones(1)), List.of(Tensor.of(Float.NEGATIVE_INFINITY))));
    assertThat(parameter.item()).isEqualTo(1);
    optimizer.step(_ -> Tensor.of(Float.MAX_VALUE));
    assertThat(parameter.item()).isEqualTo(-Float.MAX_VALUE);
    assertThat(optimizer.skippedSteps()).isEqualTo(2);
  }

  @Test
  void findsTheOneValueThatIsNotFiniteAmongMany() {
    for (int size : new int[] {1, 1023, 1024, 1025, 5000}) {
      Tensor large = Tensor.parameterOf(Tensor.zeros(size));
      Tensor wide = Tensor.parameterOf(large.detach().to(DType.FLOAT64));
      Optimizer optimizer = new Sgd(1).over(List.of(large, wide));
      int place = random.nextInt(size);
      float[] values = new float[size];
      values[place] = Float.NaN;
      Tensor gradient = Tensor.of(values);
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .as("-Dseed=%d", SEED)
          .isThrownBy(() -> optimizer.step(p -> p == large ? gradient : null))
          .withMessageContaining("parameter 0 float32 [%d] is NaN at %d;", size, place);
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .as("-Dseed=%d", SEED)
          .isThrownBy(() -> optimizer.step(p -> p == wide ? gradient.to(DType.FLOAT64) : null))
          .withMessageContaining("parameter 1 float64 [%d] is NaN at %d;", size, place);
    }
  }

  @Test
  void largeFiniteGradientsWhoseSumIsInfiniteAreTaken() {
    Tensor large = Tensor.parameterOf(Tensor.zeros(2000));
    Tensor gradient = Tensor.full(large.shape(), DType.FLOAT32, Float.MAX_VALUE);
    new Sgd(0.5).over(List.of(large)).step(_ -> gradient);
    assertThat(large.values()).containsOnly(-Float.MAX_VALUE / 2);
  }

  @Test
  void aSparseGradientThatIsNotFiniteIsRefused() {
    Tensor table = Tensor.parameterOf(Tensor.ones(4, 2));
    Tensor sparse = rows(table.shape(), Tensor.full(Shape.of(1, 2), DType.FLOAT32, 0f / 0), 3);
    assertThatExceptionOfType(NonFiniteGradientException.class)
        .isThrownBy(() -> new Sgd(1).over(List.of(table)).step(_ -> sparse))
        .withMessageContaining("parameter 0 float32 [4, 2] is NaN at 6;");
    assertThat(table.values()).containsOnly(1);
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

  @Test
  void stepsOverRowsMakeVersionsThatShareTheRest() {
    Tensor table = Tensor.parameterOf(Tensor.randn(random, 1000, 3));
    Tensor dense = Tensor.parameterOf(table);
    Optimizer rowwise = new Sgd(0.1).over(List.of(table));
    Optimizer whole = new Sgd(0.1).over(List.of(dense));
    List<Tensor> versions = new ArrayList<>();
    List<float[]> expected = new ArrayList<>();
    for (int step = 0; step < 20; step++) {
      boolean isDense = step % 5 == 4;
      int[] some = random.ints(7, 0, 1000).toArray();
      Tensor gradient = rows(table.shape(), Tensor.randn(random, 7, 3), some);
      Tensor laidOut = Tensor.of(table.shape(), gradient.values());
      rowwise.step(_ -> isDense ? laidOut : gradient);
      whole.step(_ -> laidOut);
      assertThat(table.layout() instanceof TableVersion).as("step %d", step).isEqualTo(!isDense);
      versions.add(table.detach());
      expected.add(dense.values());
    }
    for (int step = 0; step < 20; step++) {
      assertThat(versions.get(step).values())
          .as("version %d, -Dseed=%d", step, SEED)
          .containsExactly(expected.get(step), within(1e-6f));
    }
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
            "adam: takes no sparse gradients; use SparseAdam, Adagrad or Sgd, or an embedding"
                + " without withSparse(true)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Adagrad(1).withWeightDecay(1).over(List.of(table)).step(_ -> sparse))
        .withMessage(
            "adagrad: weight decay changes all rows, so it goes with no sparse gradient; set it to"
                + " 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SparseAdam(1).over(List.of(table)).step(_ -> Tensor.ones(2, 1)))
        .withMessage(
            "sparseadam: takes sparse gradients only; use Adam, or an embedding with"
                + " withSparse(true)");
    assertThat(table.values()).containsOnly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 128})
  void everyOptimizerTakesAnEmbeddingsGradientsHoweverManyTokensABatchHas(int tokens) {
    for (OptimizerSpec spec : List.of(new Adam(0.1), new AdamW(0.1), new Rmsprop(0.1))) {
      Embedding embedding = new Embedding(65, 4, random);
      long[] words = random.longs(tokens, 0, 65).toArray();
      embedding.forward(Tensor.ofLongs(words)).sum().backward();
      Tensor weight = embedding.parameters().getFirst();
      Tensor before = weight.detach();
      spec.over(embedding.parameters()).step();
      assertThat(weight.select(0, (int) words[0]).values())
          .as("-Dseed=%d", SEED)
          .isNotEqualTo(before.select(0, (int) words[0]).values());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 128})
  void aSparseEmbeddingLearnsAsADenseOneHoweverManyTokensABatchHas(int tokens) {
    Embedding dense = new Embedding(65, 4, random);
    Embedding sparse = new Embedding(65, 4, random).withSparse(true);
    sparse.load(dense.state());
    Tensor words = Tensor.ofLongs(random.longs(tokens, 0, 65).toArray());
    for (Embedding embedding : List.of(dense, sparse)) {
      embedding.forward(words).mul(embedding.forward(words)).sum().backward();
    }
    Tensor rows = Objects.requireNonNull(sparse.parameters().getFirst().grad());
    assertThat(rows.sparseRows()).isNotNull();
    assertThat(Objects.requireNonNull(dense.parameters().getFirst().grad()).sparseRows()).isNull();
    new Sgd(0.1).over(dense.parameters()).step();
    new Sgd(0.1).over(sparse.parameters()).step();
    assertThat(sparse.parameters().getFirst().values())
        .as("-Dseed=%d", SEED)
        .containsExactly(dense.parameters().getFirst().values(), within(1e-5f));
    new SparseAdam(0.1).over(sparse.parameters()).step();
  }

  @ParameterizedTest
  @EnumSource(Embeddings.BagMode.class)
  void aSparseBagOfRowsLearnsAsADenseOne(Embeddings.BagMode mode) {
    EmbeddingBag dense = new EmbeddingBag(65, 4, mode, random);
    EmbeddingBag sparse = new EmbeddingBag(65, 4, mode, random).withSparse(true);
    sparse.load(dense.state());
    Tensor words = Tensor.ofLongs(random.longs(12, 0, 65).toArray());
    for (EmbeddingBag bag : List.of(dense, sparse)) {
      bag.forward(words, 0, 3, 3, 10).sum().backward();
      new Sgd(0.1).over(bag.parameters()).step();
    }
    Tensor gradient = Objects.requireNonNull(sparse.parameters().getFirst().grad());
    assertThat(gradient.sparseRows()).isNotNull();
    assertThat(sparse.parameters().getFirst().values())
        .as("-Dseed=%d", SEED)
        .containsExactly(dense.parameters().getFirst().values(), within(1e-5f));
    new Adam(0.1).over(dense.parameters()).step();
    new SparseAdam(0.1).over(sparse.parameters()).step();
  }

  @Test
  void aGroupsSettingsStayThoseOfItsOptimizer() {
    Optimizer optimizer = new Sgd(1).over(List.of(parameter));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> optimizer.groups().getFirst().set(new Adam(1)))
        .withMessage("optimizer: adam does not go on with the state of sgd; make a new optimizer");
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
        .isThrownBy(() -> sgd.over(List.of(Tensor.ofLongs(1, 2))))
        .withMessage(
            "optimizer: a tensor int64 [2] is no parameter; give it float32 or float64 values");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sgd.over(List.of(parameter.relu())))
        .withMessageContaining("a tensor [1] was computed from others");
  }

  private static Tensor parameter(float value) {
    return Tensor.parameter(Shape.of(1), new float[] {value});
  }
}
