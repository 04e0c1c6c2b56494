// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Records;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.loss.LossReduction;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.CheckpointException;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.training.metric.Accuracy;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Training of a model with several inputs.
final class TrainingStepTest {
  @AutoClose private final MemoryWorld workers = new MemoryWorld(2);
  @TempDir private Path folder;

  /// Two inputs of one example: the target is two times the first minus the second.
  private record Pairs(Tensor left, Tensor right, Tensor target) {}

  private static final class Net extends Layer {
    private final Linear left = child("left", new Linear(1, 1, new SplittableRandom(1)));
    private final Linear right = child("right", new Linear(1, 1, new SplittableRandom(2)));

    @Remote
    Tensor forward(Tensor first, Tensor second) {
      return left.forward(first).add(right.forward(second));
    }
  }

  private static DataLoader<Pairs, Pairs> pairs(int batchSize) {
    var random = new SplittableRandom(3);
    List<Pairs> examples = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      Tensor left = Tensor.randn(random, 1);
      Tensor right = Tensor.randn(random, 1);
      examples.add(new Pairs(left, right, left.scale(2).sub(right)));
    }
    return DataLoader.of(Dataset.of(examples), batchSize, Records::collate);
  }

  private static TrainingStep<Pairs> step(Net net) {
    return batch -> Losses.mseLoss(net.forward(batch.left, batch.right), batch.target);
  }

  private static List<float[]> values(Net net) {
    return net.parameters().stream().map(Tensor::values).toList();
  }

  private static void requireEqual(Net net, Net expected) {
    for (int i = 0; i < 4; i++) {
      assertThat(values(net).get(i)).containsExactly(values(expected).get(i), within(1e-5f));
    }
  }

  /// The same steps, by a loop that a user writes.
  private static Net byHand(int batchSize) {
    Net net = new Net();
    var optimizer = new Sgd(0.1).over(net.parameters());
    for (int epoch = 0; epoch < 2; epoch++) {
      for (Pairs batch : pairs(batchSize)) {
        optimizer.zeroGrad();
        step(net).loss(batch).backward();
        optimizer.step();
      }
    }
    return net;
  }

  @Test
  void aModelWithTwoInputsLearns() {
    Net net = new Net();
    var trainer = Trainer.of(net, new Adam(0.1), step(net));
    List<Epoch> epochs = trainer.fit(pairs(8), pairs(5), 60);
    assertThat(trainer.evaluate(pairs(24)).loss()).isLessThan(1e-3);
    assertThat(epochs.getLast().validation()).isNotNull();
    assertThat(net.left.parameters().getFirst().item()).isCloseTo(2, within(0.05f));
    assertThat(net.right.parameters().getFirst().item()).isCloseTo(-1, within(0.05f));
  }

  @Test
  void aStepHereIsTheOneThatOneWritesByHand() {
    Net net = new Net();
    Trainer.of(
            net,
            new Sgd(0.1),
            (Pairs batch) -> Losses.mseLoss(net.forward(batch.left, batch.right), batch.target))
        .fit(pairs(8), 2);
    requireEqual(net, byHand(8));
  }

  @Test
  void accumulatedBatchesCountByTheirSize() {
    Net net = new Net();
    var epochs = Trainer.of(net, new Sgd(0.1), step(net)).withAccumulation(3).fit(pairs(7), 2);
    Net expected = new Net();
    List<Epoch> whole = Trainer.of(expected, new Sgd(0.1), step(expected)).fit(pairs(21), 2);
    requireEqual(net, expected); // 7 + 7 + 7 and 3, as 21 and 3
    assertThat(epochs.getLast().loss()).isCloseTo(whole.getLast().loss(), within(1e-6));
  }

  @Test
  void aModelOnAServerTakesTheSameSteps() {
    Rpc server = workers.worker(1);
    Net there = new Net();
    RemoteLayer<Net> remote = new RemoteLayer<>(server.rref(there));
    var trainer =
        Trainer.of(
            server,
            remote,
            new Sgd(0.1),
            (Pairs batch) ->
                Losses.mseLoss(
                    remote.rpcSync(Net::forward, batch.left, batch.right), batch.target));
    trainer.fit(pairs(8), 2);
    requireEqual(there, byHand(8));
    assertThat(trainer.evaluate(pairs(5)).loss())
        .isCloseTo(step(there).loss(pairs(24).iterator().next()).item(), within(1e-6));
  }

  @Test
  void copiesLearnAsOneOfTheWholeBatch() throws Exception {
    Net first = new Net();
    Net second = new Net();
    CompletableFuture<Void> other = CompletableFuture.runAsync(() -> copy(1, second));
    copy(0, first);
    other.get(1, TimeUnit.MINUTES);
    requireEqual(first, byHand(8));
    requireEqual(second, byHand(8));
  }

  private void copy(int rank, Net net) {
    var copy = DistributedDataParallel.of(workers.worker(rank), net);
    Trainer.of(copy, new Sgd(0.1), step(net)).fit(pairs(4).shard(rank, 2), 2);
  }

  @Test
  void aSumIsAdded() {
    Net net = new Net();
    TrainingStep<Pairs> sum =
        new TrainingStep<>() {
          @Override
          public Tensor loss(Pairs batch) {
            Tensor error = net.forward(batch.left, batch.right).sub(batch.target);
            return error.mul(error).sum();
          }

          @Override
          public LossReduction reduction() {
            return LossReduction.SUM;
          }
        };
    var trainer = Trainer.of(net, new Sgd(0.01), sum);
    assertThat(trainer.evaluate(pairs(7)).loss())
        .isCloseTo(trainer.evaluate(pairs(24)).loss(), within(1e-4));
  }

  @Test
  void aValidationUpdatesTheMetrics() {
    Net net = new Net();
    Accuracy accuracy = new Accuracy();
    TrainingStep<Pairs> step =
        new TrainingStep<>() {
          @Override
          public Tensor loss(Pairs batch) {
            return step(net).loss(batch);
          }

          @Override
          public Tensor validationLoss(Pairs batch) {
            assertThat(loss(batch).requiresGrad()).isFalse(); // in evaluation mode
            accuracy.update(
                Tensor.of(Shape.of(2, 2), new float[] {1, 0, 1, 0}), Tensor.ofLongs(0, 1));
            return loss(batch);
          }
        };
    Scores scores = Trainer.of(net, new Sgd(0.1), step).withMetric(accuracy).evaluate(pairs(8));
    assertThat(scores.get("accuracy")).isEqualTo(0.5);
  }

  @Test
  void aTrainingResumes() {
    Net whole = new Net();
    Trainer.of(whole, new Adam(0.1), step(whole)).fit(pairs(8), 4);
    Net stopped = new Net();
    Trainer.of(stopped, new Adam(0.1), step(stopped))
        .withCheckpoints(new Checkpoints(folder, 1))
        .fit(pairs(8), 2);
    Net net = new Net();
    var resumed =
        Trainer.of(net, new Adam(0.1), step(net)).withCheckpoints(new Checkpoints(folder, 1));
    assertThat(resumed.resume()).isTrue();
    resumed.fit(pairs(8), 4);
    assertThat(values(net)).usingRecursiveComparison().isEqualTo(values(whole));
  }

  /// The settings of a run.
  public record Settings(int width, double rate) {}

  @Test
  void theSettingsAreInTheCheckpoints() {
    Net net = new Net();
    Checkpoints checkpoints = new Checkpoints(folder, 1);
    Settings settings = new Settings(1, 0.1);
    var trainer =
        Trainer.of(net, new Sgd(0.1), step(net))
            .withSettings(settings)
            .withCheckpoints(checkpoints);
    trainer.fit(pairs(8), 2);
    assertThat(Checkpoint.settings(checkpoints.best(), Settings.class)).isEqualTo(settings);
    assertThatThrownBy(() -> trainer.withSettings(settings))
        .hasMessage("withSettings: would replace the value of an earlier call; call it once");
    assertThatThrownBy(
            () ->
                Trainer.of(net, new Sgd(0.1), step(net))
                    .withSettings(new Pairs(Tensor.of(1), Tensor.of(1), Tensor.of(1))))
        .isInstanceOf(CheckpointException.class);
  }

  @Test
  void aLossOfEachExampleIsRefused() {
    TrainingStep<Pairs> each =
        new TrainingStep<>() {
          @Override
          public Tensor loss(Pairs batch) {
            return batch.left;
          }

          @Override
          public LossReduction reduction() {
            return LossReduction.NONE;
          }
        };
    assertThatThrownBy(() -> Trainer.of(new Net(), new Sgd(0.1), each))
        .hasMessage(
            "trainer: a loss with reduction NONE has a value for each example; use MEAN or SUM");
  }

  @Test
  void aBatchOfTensorsOfDifferentSizesSaysWhatToOverride() {
    Net net = new Net();
    var unequal = new Pairs(Tensor.zeros(2, 1), Tensor.zeros(2, 1), Tensor.zeros(1, 1));
    var trainer = Trainer.of(net, new Sgd(0.1), (Pairs batch) -> batch.left.sum());
    assertThatThrownBy(() -> trainer.evaluate(List.of(unequal)))
        .hasMessage(
            "records: the tensors of a batch have different first sizes, {Pairs.left=2,"
                + " Pairs.right=2, Pairs.target=1}; override size of TrainingStep");
  }
}
