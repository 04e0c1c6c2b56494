// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.nn.loss.LossReduction;
import dev.tensorbus.nn.loss.MseLoss;
import dev.tensorbus.nn.loss.NllLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.training.metric.Accuracy;
import dev.tensorbus.optim.training.metric.ConfusionMatrix;
import dev.tensorbus.optim.training.metric.F1Score;
import dev.tensorbus.optim.training.metric.Perplexity;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Losses and steps of several batches are those of one batch of all their examples.
final class LossWeightTest {
  private static final Loss PLAIN = new CrossEntropyLoss();

  @AutoClose private final MemoryWorld workers = new MemoryWorld(2);

  static List<Loss> losses() {
    return List.of(
        PLAIN,
        new CrossEntropyLoss().withWeight(Tensor.of(1, 1, 10)),
        new CrossEntropyLoss().withWeight(Tensor.of(1, 0, 10)),
        new CrossEntropyLoss().withWeight(Tensor.of(1, 2, 10)).withLabelSmoothing(0.1),
        new CrossEntropyLoss().withReduction(LossReduction.SUM),
        new CrossEntropyLoss().withReduction(LossReduction.BATCH_MEAN));
  }

  private static DataLoader<Example, Batch> batches(int size, int... labels) {
    SplittableRandom random = new SplittableRandom(5);
    List<Example> examples =
        IntStream.of(labels)
            .mapToObj(label -> new Example(Tensor.randn(random, 4), label))
            .toList();
    return DataLoader.of(Dataset.of(examples), size, Batch::of);
  }

  /// Batches of three have three and one labels that count; of the batches of two, one has none.
  private static DataLoader<Example, Batch> batches(int size) {
    return batches(size, 0, 1, 2, 1, -100, -100);
  }

  private static Linear net() {
    return new Linear(4, 3, new SplittableRandom(3));
  }

  private static List<float[]> values(Linear net) {
    return net.parameters().stream().map(Tensor::values).toList();
  }

  private static void requireClose(Linear net, Linear expected) {
    for (int i = 0; i < 2; i++) {
      assertThat(values(net).get(i)).containsExactly(values(expected).get(i), within(1e-5f));
    }
  }

  private static Linear fitted(Loss loss, int size, int accumulation) {
    Linear net = net();
    Trainer.of(net, new Sgd(0.1), loss).withAccumulation(accumulation).fit(batches(size), 2);
    return net;
  }

  @ParameterizedTest
  @MethodSource("losses")
  void accumulatedBatchesMakeTheStepOfOneBatch(Loss loss) {
    Linear whole = fitted(loss, 6, 1);
    requireClose(fitted(loss, 3, 2), whole);
    requireClose(fitted(loss, 2, 3), whole);
    requireClose(fitted(loss, 4, 2), whole);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void evaluationIsThatOfOneBatch(Loss loss) {
    Trainer<Batch> trainer = Trainer.of(net(), new Sgd(0.1), loss).withMetric(new Perplexity());
    Scores whole = trainer.evaluate(batches(6));
    for (int size : new int[] {1, 2, 3, 4, 5}) {
      Scores parts = trainer.evaluate(batches(size));
      assertThat(parts.loss()).as("size %d", size).isCloseTo(whole.loss(), within(1e-6));
      assertThat(parts.get("perplexity")).isCloseTo(whole.get("perplexity"), within(1e-5));
    }
  }

  @Test
  void anEpochsLossIsThatOfItsExamples() {
    Linear frozen = net();
    Trainer<Batch> trainer = Trainer.of(frozen, new Sgd(0), PLAIN);
    double expected = trainer.evaluate(batches(6)).loss();
    for (int size : new int[] {1, 2, 4}) {
      Epoch epoch = Trainer.of(net(), new Sgd(0), PLAIN).fit(batches(size), 1).getFirst();
      assertThat(epoch.loss()).isCloseTo(expected, within(1e-6));
    }
  }

  @Test
  void aStepOfNothingThatCountsChangesNothing() {
    Linear net = net();
    List<Double> told = new ArrayList<>();
    List<List<float[]>> after = new ArrayList<>();
    Epoch epoch =
        Trainer.of(net, new Adam(0.1), PLAIN)
            .withListener(
                new TrainerListener() {
                  @Override
                  public void onStep(long step, double loss) {
                    told.add(loss);
                    after.add(values(net));
                  }
                })
            .fit(batches(2), 1)
            .getFirst();
    assertThat(told).hasSize(3).last().isEqualTo(Double.NaN);
    assertThat(after.get(2)).usingRecursiveComparison().isEqualTo(after.get(1));
    assertThat(epoch.loss()).isFinite();
    assertThat(epoch.steps()).isEqualTo(3);
  }

  @Test
  void whereNothingCountsThereIsNothingToMeasure() {
    Trainer<Batch> trainer = Trainer.of(net(), new Sgd(0.1), PLAIN);
    String problem =
        ": no target in 2 batches counts towards the loss; check its ignoreIndex and weight";
    assertThatThrownBy(() -> trainer.evaluate(batches(1, -100, -100)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("evaluate" + problem);
    assertThatThrownBy(() -> trainer.fit(batches(1, -100, -100), 1)).hasMessage("fit" + problem);
  }

  @Test
  void metricsLeaveIgnoredLabelsOut() {
    Tensor scores = Tensor.of(1, 0, 0, 0, 1, 0, 0, 0, 1).reshape(3, 3);
    Tensor labels = Tensor.ofLongs(0, 1, -100);
    Accuracy accuracy = new Accuracy();
    accuracy.update(scores, labels);
    assertThat(accuracy.compute()).isEqualTo(1);
    F1Score f1 = new F1Score(3);
    f1.update(scores, labels);
    assertThat(f1.compute()).isEqualTo(1);
    ConfusionMatrix matrix = new ConfusionMatrix(3);
    matrix.update(scores, labels);
    assertThat(matrix.counts()).isDeepEqualTo(new long[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}});
    Accuracy other = new Accuracy().withIgnoreIndex(2);
    other.update(scores, Tensor.ofLongs(0, 0, 2));
    assertThat(other.compute()).isEqualTo(0.5);
    assertThatThrownBy(() -> other.update(scores, labels))
        .hasMessage("accuracy: label -100 of example 2 is not in 0 to 2; see withIgnoreIndex");
    Accuracy none = new Accuracy();
    none.update(scores, Tensor.ofLongs(-100, -100, -100));
    assertThat(none.compute()).isNaN();
  }

  @Test
  void aMetricIgnoresWhatTheLossIgnores() {
    Trainer<Batch> trainer = Trainer.of(net(), new Sgd(0.1), new NllLoss().withIgnoreIndex(0));
    assertThatThrownBy(() -> trainer.withMetric(new Accuracy()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "metric accuracy ignores label -100, but the loss 0; call the metric's"
                + " withIgnoreIndex(0)");
    trainer
        .withMetric(new Accuracy().withIgnoreIndex(0))
        .withMetric(new F1Score(3).withIgnoreIndex(0))
        .withMetric(new Perplexity().withIgnoreIndex(0));
  }

  @Test
  void aLossForEachExampleIsRefused() {
    assertThatThrownBy(() -> Trainer.of(net(), new Sgd(0.1), new MseLoss(LossReduction.NONE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "trainer: a loss with reduction NONE has a value for each example; use MEAN or SUM");
  }

  @ParameterizedTest
  @MethodSource("losses")
  void aServersModelTakesTheStepsOfOneBatch(Loss loss) {
    Rpc server = workers.worker(1);
    Linear there = net();
    RemoteLayer<Linear> remote = new RemoteLayer<>(server.rref(there));
    Trainer.of(server, remote, new Sgd(0.1), loss).withAccumulation(3).fit(batches(2), 2);
    requireClose(there, fitted(loss, 6, 1));
    Linear here = net();
    Trainer.of(here, new Sgd(0.1), loss).fit(batches(2), 1);
    Linear other = net();
    RemoteLayer<Linear> another = new RemoteLayer<>(server.rref(other));
    Trainer.of(server, another, new Sgd(0.1), loss).fit(batches(2), 1);
    requireClose(other, here);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void copiesTakeTheStepsOfOneBatch(Loss loss) {
    Linear alone = net();
    Epoch expected = Trainer.of(alone, new Sgd(0.1), loss).fit(batches(6), 3).getLast();
    for (int accumulation : new int[] {1, 3}) {
      List<Linear> nets = List.of(net(), net());
      int batches = accumulation;
      List<List<Epoch>> epochs = onBoth(rank -> copy(rank, nets.get(rank), loss, batches));
      for (int rank = 0; rank < 2; rank++) {
        requireClose(nets.get(rank), alone);
        assertThat(epochs.get(rank).getLast().loss()).isCloseTo(expected.loss(), within(1e-5));
      }
      assertThat(values(nets.get(0))).usingRecursiveComparison().isEqualTo(values(nets.get(1)));
    }
  }

  private static <R> List<R> onBoth(IntFunction<R> body) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<R>> results =
          IntStream.range(0, 2)
              .mapToObj(rank -> CompletableFuture.supplyAsync(() -> body.apply(rank), threads))
              .toList();
      return results.stream().map(result -> result.orTimeout(1, TimeUnit.MINUTES).join()).toList();
    }
  }

  /// One copy's three examples, of which two or two count.
  private List<Epoch> copy(int rank, Linear net, Loss loss, int accumulation) {
    return Trainer.of(two(rank, net), new Sgd(0.1), loss)
        .withAccumulation(accumulation)
        .fit(batches(3 / accumulation).shard(rank, 2), 3);
  }

  @Test
  void aCopyOfWhichNothingCountsTakesPart() {
    Linear alone = net();
    Trainer.of(alone, new Sgd(0.1), PLAIN).fit(batches(2, 1, 2), 2);
    List<Linear> nets = List.of(net(), net());
    int[][] labels = {{1, 2}, {-100, -100}};
    onBoth(
        rank ->
            Trainer.of(two(rank, nets.get(rank)), new Sgd(0.1), PLAIN)
                .fit(batches(2, labels[rank]), 2));
    nets.forEach(net -> requireClose(net, alone));
  }

  private DistributedDataParallel<Linear> two(int rank, Linear net) {
    return DistributedDataParallel.of(workers.worker(rank), net);
  }

  @Test
  void randomCutsMakeNoDifference() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    int[] labels = random.ints(24, -1, 3).map(label -> label < 0 ? -100 : label).toArray();
    labels[0] = 1;
    Loss loss = new CrossEntropyLoss().withWeight(Tensor.of(0.5f, 1, 3));
    Linear alone = net();
    Trainer.of(alone, new Sgd(0.1), loss).fit(batches(24, labels), 2);
    int size = 1 + random.nextInt(8);
    Linear cut = net();
    Trainer.of(cut, new Sgd(0.1), loss)
        .withAccumulation((23 + size) / size)
        .fit(batches(size, labels), 2);
    assertThat(cut.parameters().getFirst().values())
        .as("seed %d", seed)
        .containsExactly(alone.parameters().getFirst().values(), within(1e-5f));
  }
}
