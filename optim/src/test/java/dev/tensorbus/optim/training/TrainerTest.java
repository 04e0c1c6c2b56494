// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Tanh;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.LossReduction;
import dev.tensorbus.nn.loss.MseLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.schedule.ReduceLrOnPlateau;
import dev.tensorbus.optim.schedule.StepLr;
import dev.tensorbus.optim.training.metric.Accuracy;
import dev.tensorbus.optim.training.metric.F1Score;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.rpc.testing.ManualClock;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrainerTest {
  private static final int EXAMPLES = 96;

  @AutoClose private final MemoryWorld workers = new MemoryWorld(2);
  @TempDir private Path folder;

  /// Points of a plane, and on which side of a line each lies.
  private static Dataset<Example> sides(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < EXAMPLES; i++) {
      float x = (float) random.nextGaussian();
      float y = (float) random.nextGaussian();
      examples.add(new Example(Tensor.of(x, y), x - 2 * y > 0.5 ? 1 : 0));
    }
    return Dataset.of(examples);
  }

  private static DataLoader<Example, Batch> training(int batchSize) {
    return DataLoader.of(sides(1), batchSize, Batch::of).shuffled(7);
  }

  private static final Iterable<Batch> VALIDATION = DataLoader.of(sides(2), 40, Batch::of);

  private static Sequential net() {
    RandomGenerator random = new SplittableRandom(3);
    return new Sequential(new Linear(2, 8, random), new Tanh(), new Linear(8, 2, random));
  }

  private static Trainer<Batch> trainer(Sequential net) {
    return Trainer.of(net, new Adam(0.02), new CrossEntropyLoss());
  }

  private static List<float[]> values(Sequential net) {
    return net.parameters().stream().map(Tensor::values).toList();
  }

  @Test
  void aTrainingLearnsAndSaysHowGoodItHasBecome() {
    List<Long> steps = new ArrayList<>();
    List<Long> begun = new ArrayList<>();
    List<Epoch> told = new ArrayList<>();
    TrainerListener listener =
        new TrainerListener() {
          @Override
          public void onEpochStart(long number) {
            begun.add(number);
          }

          @Override
          public void onStep(long step, double loss) {
            steps.add(step);
          }

          @Override
          public void onEpoch(Epoch epoch) {
            told.add(epoch);
          }
        };
    Trainer<Batch> trainer =
        trainer(net())
            .withMetric(new Accuracy())
            .withMetric(new F1Score(2))
            .withClipping(Clipping.byNorm(10))
            .withListener(listener);
    List<Epoch> epochs = trainer.fit(training(16), VALIDATION, 20);
    assertThat(epochs).hasSize(20).isEqualTo(told);
    assertThat(steps)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 120).mapToObj(Long::valueOf).toList());
    assertThat(begun).containsExactlyElementsOf(epochs.stream().map(Epoch::number).toList());
    assertThat(epochs.getLast().number()).isEqualTo(20);
    assertThat(epochs.getLast().steps()).isEqualTo(120);
    assertThat(epochs.getLast().loss()).isLessThan(0.2 * epochs.getFirst().loss() + 0.1);
    Scores scores = trainer.evaluate(VALIDATION);
    assertThat(scores).isEqualTo(epochs.getLast().validation());
    assertThat(scores.metrics().keySet()).containsExactly("accuracy", "f1");
    assertThat(scores.get("accuracy")).isGreaterThan(0.9);
    assertThatThrownBy(() -> scores.get("bleu"))
        .hasMessage(
            "no metric \"bleu\"; available: loss and [accuracy, f1]; add others with withMetric");
  }

  @Test
  void theLoopIsTheOneThatOneWritesByHand() {
    Sequential byHand = net();
    var optimizer = new Adam(0.02).over(byHand.parameters());
    var schedule = new StepLr(1, 0.5).over(optimizer.groups());
    DataLoader<Example, Batch> batches = training(16);
    for (int epoch = 0; epoch < 3; epoch++) {
      for (Batch batch : batches) {
        optimizer.zeroGrad();
        new CrossEntropyLoss().forward(byHand.forward(batch.inputs()), batch.targets()).backward();
        optimizer.step();
      }
      schedule.step();
    }
    Sequential net = net();
    trainer(net).withSchedule(new StepLr(1, 0.5)).fit(training(16), 3);
    assertThat(values(net)).usingRecursiveComparison().isEqualTo(values(byHand));
  }

  @Test
  void severalBatchesMakeOneStepAsOneLargeOneDoes() {
    Sequential small = net();
    Sequential large = net();
    Trainer<Batch> accumulating = trainer(small).withAccumulation(3);
    Epoch epoch = accumulating.fit(training(10), 1).getFirst();
    Epoch expected = trainer(large).fit(training(30), 1).getFirst();
    assertThat(epoch.steps()).isEqualTo(4).isEqualTo(expected.steps());
    assertThat(epoch.loss()).isCloseTo(expected.loss(), within(1e-5));
    for (int i = 0; i < 4; i++) {
      assertThat(values(small).get(i)).containsExactly(values(large).get(i), within(1e-4f));
    }
  }

  @Test
  void aResumedTrainingTakesTheStepsOfOneThatWasNotStopped() {
    Sequential whole = net();
    Trainer.of(whole, new Adam(0.02), new CrossEntropyLoss())
        .withSchedule(new StepLr(2, 0.5))
        .withSchedule(new ReduceLrOnPlateau(0.5, 1))
        .fit(training(16), VALIDATION, 6);
    Sequential first = net();
    resumable(first).fit(training(16), VALIDATION, 4);
    Sequential second = new Sequential(first.parts().toArray(Forward[]::new));
    second.parameters().forEach(one -> one.update(old -> new float[old.length]));
    Trainer<Batch> resumed = resumable(second);
    assertThat(resumed.resume()).isTrue();
    assertThat(resumed.fit(training(16), VALIDATION, 6))
        .extracting(Epoch::number)
        .containsExactly(5L, 6L);
    assertThat(values(second)).usingRecursiveComparison().isEqualTo(values(whole));
  }

  @ParameterizedTest
  @CsvSource({"2, 9", "6, 6", "4, 11"})
  void aTrainingThatEndsWithinAnEpochGoesOnThere(int interval, int lastStep) {
    Sequential whole = net();
    List<Epoch> expected = trainer(whole).withAccumulation(2).fit(training(8), VALIDATION, 3);
    Trainer<Batch> cut =
        withinEpochs(net(), interval)
            .withListener(
                new TrainerListener() {
                  @Override
                  public void onEpoch(Epoch epoch) {
                    endAt(epoch.steps()); // after its last step, before its checkpoint
                  }

                  @Override
                  public void onStep(long step, double loss) {
                    if (step % 6 != 0) {
                      endAt(step);
                    }
                  }

                  private void endAt(long step) {
                    if (step == lastStep) {
                      throw new IllegalStateException("the process ends");
                    }
                  }
                });
    assertThatThrownBy(() -> cut.fit(training(8), VALIDATION, 3)).hasMessage("the process ends");
    Sequential net = net();
    Trainer<Batch> resumed = withinEpochs(net, interval);
    assertThat(resumed.resume()).isTrue();
    assertThat(resumed.epochs()).isEqualTo(lastStep == 6 ? 0 : 1);
    assertThat(resumed.fit(training(8), VALIDATION, 3))
        .extracting(Epoch::number, Epoch::steps, Epoch::loss, Epoch::validation)
        .isEqualTo(
            expected.stream()
                .skip(lastStep == 6 ? 0 : 1)
                .map(one -> tuple(one.number(), one.steps(), one.loss(), one.validation()))
                .toList());
    assertThat(values(net)).usingRecursiveComparison().isEqualTo(values(whole));
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("epoch-3", "best", "write.lock");
  }

  private Trainer<Batch> withinEpochs(Sequential net, int interval) {
    return trainer(net).withAccumulation(2).withCheckpoints(new Checkpoints(folder, 1), interval);
  }

  @Test
  void aCheckpointEveryNoStepsIsRefused() {
    assertThatThrownBy(() -> withinEpochs(net(), 0))
        .hasMessage("checkpoints every 0 steps; expected 1 or more");
  }

  @Test
  void aCheckpointIsWrittenWhenItsTimeHasComeAndNotBefore() {
    ManualClock clock = new ManualClock();
    Checkpoints checkpoints = new Checkpoints(folder, 1);
    Set<Long> saved = new TreeSet<>();
    trainer(net())
        .withCheckpoints(checkpoints, Duration.ofSeconds(25))
        .withClock(clock)
        .withListener(
            new TrainerListener() {
              @Override
              public void onStep(long step, double loss) {
                clock.advance(Duration.ofSeconds(10));
                checkpoints.newest().ifPresent(path -> saved.add(steps(path)));
              }
            })
        .fit(training(8), 1);
    assertThat(saved).containsExactly(3L, 6L, 9L);
    assertThat(checkpoints.newest().map(TrainerTest::steps)).contains(12L);
  }

  /// Returns the number of steps before a checkpoint.
  static long steps(Path checkpoint) {
    Advance advance = new Advance(TotalLoss.none(LossReduction.MEAN));
    new Checkpoint().withProgress("trainer", advance).restoreParts(checkpoint, "trainer");
    return advance.steps();
  }

  @Test
  void aTimeBetweenCheckpointsThatIsNotPositiveIsRefused() {
    Checkpoints checkpoints = new Checkpoints(folder, 1);
    assertThatThrownBy(() -> trainer(net()).withCheckpoints(checkpoints, Duration.ZERO))
        .hasMessage("checkpoints every PT0S; expected a time above 0");
  }

  private Trainer<Batch> resumable(Sequential net) {
    return trainer(net)
        .withSchedule(new StepLr(2, 0.5))
        .withSchedule(new ReduceLrOnPlateau(0.5, 1))
        .withCheckpoints(new Checkpoints(folder, 2));
  }

  @Test
  void aNewRunDoesNotReplaceTheCheckpointsOfAnEarlierOne() {
    resumable(net()).fit(training(8), VALIDATION, 3);
    Trainer<Batch> second = resumable(net());
    assertThatThrownBy(() -> second.fit(training(8), VALIDATION, 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "fit: %s is from an earlier run, which this run would overwrite; call resume to"
                    .formatted(folder.resolve("epoch-3"))
                + " continue it, or pass another folder to withCheckpoints");
    assertThat(second.resume()).isTrue();
    assertThat(second.fit(training(8), VALIDATION, 5)).hasSize(2);
    assertThat(new Checkpoints(folder, 1).newest()).contains(folder.resolve("epoch-5"));
  }

  @Test
  void withoutACheckpointATrainingBeginsAtItsBegin() {
    assertThat(resumable(net()).resume()).isFalse();
    assertThatThrownBy(() -> trainer(net()).resume())
        .hasMessage("resume: call withCheckpoints first to set the folder");
  }

  @Test
  void aTrainingEndsWhenNothingBecomesBetterAndTheBestIsKept() {
    Sequential net = net();
    Checkpoints checkpoints = new Checkpoints(folder, 2);
    List<float[]> afterFirst = new ArrayList<>();
    List<Epoch> epochs =
        Trainer.of(net, new Sgd(0), new CrossEntropyLoss()) // a rate of 0 improves nothing
            .withMetric(new Accuracy())
            .compareBy(Measure.greatest("accuracy"))
            .withEarlyStopping(3)
            .withCheckpoints(checkpoints)
            .withListener(
                new TrainerListener() {
                  @Override
                  public void onEpoch(Epoch epoch) {
                    if (epoch.number() == 1) {
                      afterFirst.addAll(values(net));
                    }
                    net.parameters().getFirst().update(old -> new float[old.length]);
                  }
                })
            .fit(training(16), VALIDATION, 50);
    assertThat(epochs).hasSize(4);
    assertThat(folder.toFile().list())
        .containsExactlyInAnyOrder("epoch-3", "epoch-4", "best", "write.lock");
    new Checkpoint().withModel("model", net).restoreModel(checkpoints.best());
    assertThat(values(net).get(1)).containsExactly(afterFirst.get(1));
  }

  @Test
  void aMeasureOfValidationNeedsValidation() {
    Trainer<Batch> trainer = trainer(net()).compareBy(Measure.greatest("accuracy"));
    assertThatThrownBy(() -> trainer.fit(training(16), 1))
        .hasMessage("measure \"accuracy\" needs validation data; pass a second loader to fit");
    assertThatThrownBy(() -> trainer.evaluate(List.of()))
        .hasMessage("evaluate: no batches; expected at least one");
  }

  @Test
  void aPlateauWaitsForWhatEpochsAreComparedBy() {
    Trainer<Batch> trainer =
        trainer(net())
            .withMetric(new Accuracy())
            .withSchedule(new ReduceLrOnPlateau(0.5, 1))
            .compareBy(Measure.greatest("accuracy"));
    assertThatThrownBy(() -> trainer.fit(training(16), VALIDATION, 1))
        .hasMessage(
            "schedule: epochs are compared by the greatest accuracy, but the plateau schedule"
                + " does the opposite; call its withMaximize(true)");
  }

  @Test
  void anEpochIsALine() {
    Epoch epoch = new Epoch(2, 500, 0.04334, null, 0.001, 1978.6);
    assertThat(epoch).hasToString("epoch 2  loss 0.0433  lr 0.001  1979 samples/s");
    Scores scores = new Scores(0.0361, Map.of("accuracy", 0.99));
    assertThat(new Epoch(2, 500, 0.04334, scores, 0.001, 1978.6))
        .hasToString(epoch + "  | validation loss 0.0361  accuracy 0.9900");
  }

  @Test
  void settingsThatMeanNothingAreRefused() {
    assertThatThrownBy(() -> trainer(net()).withAccumulation(0))
        .hasMessage("accumulation 0 must be 1 or more");
    assertThatThrownBy(() -> trainer(net()).withEarlyStopping(0))
        .hasMessage("patience 0 must be 1 or more");
    assertThatThrownBy(() -> Measure.smallest("loss").withMinDelta(-1))
        .hasMessage("measure: the minimum change -1.0 must be 0 or more");
    assertThatThrownBy(() -> new Checkpoints(folder, 0))
        .hasMessage("checkpoints: kept is 0; expected 1 or more");
  }

  @Test
  void valuesAreTargetsToo() {
    RandomGenerator random = new SplittableRandom(1);
    Tensor x = Tensor.randn(random, EXAMPLES, 1);
    Batch batch = new Batch(x, x.scale(2).sub(Tensor.of(3)));
    DataLoader<Batch, Batch> batches = DataLoader.of(Dataset.of(List.of(batch)), 1, List::getFirst);
    Linear line = new Linear(1, 1, random);
    Trainer.of(line, new Sgd(0.1), Losses::mseLoss).fit(batches, 200);
    assertThat(line.parameters().getFirst().item()).isCloseTo(2, within(1e-3f));
    assertThat(line.parameters().getLast().item()).isCloseTo(-3, within(1e-3f));
  }

  @Test
  void averagesFollowTheParametersAndAreInTheCheckpoint() {
    Linear line = new Linear(1, 1, new SplittableRandom(1));
    float before = line.parameters().getFirst().item();
    var average = new AveragedModel<>(line, new Linear(1, 1, new SplittableRandom(2)), 0.75);
    line.parameters().getFirst().update(_ -> new float[] {before + 4});
    average.update();
    assertThat(average.layer().parameters().getFirst().item()).isCloseTo(before + 1, within(1e-6f));
    Trainer.of(line, new Sgd(0.1), new MseLoss()).withAverage(average).checkpoint().save(folder);
    Linear restored = new Linear(1, 1, new SplittableRandom(3));
    new Checkpoint().withModel("average", restored).restoreModel(folder);
    assertThat(restored.state().tensors().get("weight").item())
        .isEqualTo(average.layer().parameters().getFirst().item());
  }

  @Test
  void aParameterServerTakesTheSameStepsAsATrainingHere() {
    Sequential here = net();
    Trainer.of(here, new Sgd(0.1), new CrossEntropyLoss())
        .withClipping(Clipping.byNorm(1))
        .withAccumulation(2)
        .fit(training(16), 2);
    Rpc server = workers.worker(1);
    Sequential there = net();
    RemoteLayer<Sequential> remote = new RemoteLayer<>(server.rref(there));
    Trainer<Batch> trainer =
        Trainer.of(server, remote, new Sgd(0.1), new CrossEntropyLoss())
            .withClipping(Clipping.byNorm(1))
            .withAccumulation(2);
    trainer.fit(training(16), 2);
    for (int i = 0; i < 4; i++) {
      assertThat(values(there).get(i)).containsExactly(values(here).get(i), within(1e-6f));
    }
    assertThat(trainer.evaluate(VALIDATION).loss())
        .isCloseTo(
            Trainer.of(there, new Sgd(0.1), new CrossEntropyLoss()).evaluate(VALIDATION).loss(),
            within(1e-9));
  }

  @Test
  void aTrainingOnAServerReportsToTheWorkersProgress() {
    Rpc server = workers.worker(1);
    List<String> reports = new ArrayList<>();
    server.onProgress(
        new Progress() {
          @Override
          public void start(long steps) {
            reports.add("start " + steps);
          }

          @Override
          public void step(int samples, float loss) {
            assertThat(loss).isPositive();
            reports.add("step " + samples);
          }

          @Override
          public void scalar(String tag, double value) {
            reports.add(tag);
          }
        });
    RemoteLayer<Sequential> remote = new RemoteLayer<>(server.rref(net()));
    Trainer.of(server, remote, new Sgd(0.1), new CrossEntropyLoss())
        .withMetric(new Accuracy())
        .withAccumulation(2)
        .fit(training(40), VALIDATION, 2); // batches of 40, 40 and 16
    List<String> epoch =
        List.of(
            "epoch",
            "step 80",
            "step 16",
            "learning_rate",
            "validation/loss",
            "validation/accuracy");
    assertThat(reports).startsWith("start 4").hasSize(13);
    assertThat(reports.subList(1, 7)).isEqualTo(epoch);
    assertThat(reports.subList(7, 13)).isEqualTo(epoch);
  }

  @Test
  void validationOnAServerLeavesNothingOutThoughOthersTrain() {
    RandomGenerator random = new SplittableRandom(1);
    Sequential there = new Sequential(new Dropout(0.5f, random), new Linear(2, 2, random));
    Rpc server = workers.worker(1);
    RemoteLayer<Sequential> remote = new RemoteLayer<>(server.rref(there));
    Trainer<Batch> trainer = Trainer.of(server, remote, new Sgd(0.1), new CrossEntropyLoss());
    Scores scores = trainer.evaluate(VALIDATION);
    assertThat(trainer.evaluate(VALIDATION)).isEqualTo(scores);
    assertThat(there.isTraining()).isTrue();
  }

  @Test
  void copiesOnTwoWorkersLearnAsOneOfTheWholeBatch() throws Exception {
    Sequential alone = net();
    Trainer.of(alone, new Sgd(0.1), new CrossEntropyLoss())
        .fit(DataLoader.of(sides(1), 32, Batch::of), 2);
    Sequential first = net();
    Sequential second = net();
    CompletableFuture<Void> other = CompletableFuture.runAsync(() -> copy(1, second));
    copy(0, first);
    other.get(1, TimeUnit.MINUTES);
    for (int i = 0; i < 4; i++) {
      assertThat(values(first).get(i)).containsExactly(values(second).get(i));
      assertThat(values(first).get(i)).containsExactly(values(alone).get(i), within(1e-4f));
    }
  }

  /// Two copies whose batches of 8, two a step, make up one of 32.
  private void copy(int rank, Sequential net) {
    var copy = DistributedDataParallel.of(workers.worker(rank), net);
    Trainer.of(copy, new Sgd(0.1), new CrossEntropyLoss())
        .withAccumulation(2)
        .fit(DataLoader.of(sides(1), 8, Batch::of).shard(rank, 2), 2);
  }

  @Test
  void aSettingThatWouldReplaceAnotherIsRefused() {
    Linear line = new Linear(1, 1, new SplittableRandom(1));
    Trainer<Batch> trainer = Trainer.of(line, new Sgd(0.1), new MseLoss());
    Checkpoints checkpoints = new Checkpoints(folder, 1);
    var average = new AveragedModel<>(line, new Linear(1, 1, new SplittableRandom(2)), 0.75);
    trainer.withClipping(Clipping.byNorm(1)).withCheckpoints(checkpoints, 10).withAverage(average);
    for (ThrowingCallable second :
        List.<ThrowingCallable>of(
            () -> trainer.withClipping(Clipping.byValue(1)),
            () -> trainer.withCheckpoints(checkpoints),
            () -> trainer.withCheckpoints(checkpoints, 20),
            () -> trainer.withAverage(average))) {
      assertThatThrownBy(second)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageEndingWith(": would replace the value of an earlier call; call it once");
    }
  }
}
