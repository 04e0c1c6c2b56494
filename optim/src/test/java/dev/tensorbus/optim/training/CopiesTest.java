// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.models.data.Sampler;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Tanh;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.schedule.ReduceLrOnPlateau;
import dev.tensorbus.optim.schedule.StepLr;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trainers of copies: their checkpoints, and what they have to have in common.
final class CopiesTest {
  @AutoClose private final MemoryWorld workers = new MemoryWorld(2);
  @TempDir private Path folder;

  private static DataLoader<Example, Batch> examples(long seed, int size) {
    RandomGenerator random = new SplittableRandom(seed);
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      examples.add(new Example(Tensor.randn(random, 2), random.nextInt(2)));
    }
    return DataLoader.of(Dataset.of(examples), size, Batch::of);
  }

  private static DataLoader<Example, Batch> training(int rank) {
    return examples(1, 3).with(shuffledShard(rank));
  }

  private static Sampler shuffledShard(int rank) {
    return Sampler.shuffled(24, 7).shard(rank, 2);
  }

  private static Sequential net(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    return new Sequential(
        new Linear(2, 4, random), new BatchNorm(4), new Tanh(), new Linear(4, 2, random));
  }

  private Trainer<Batch> trainer(int rank, Sequential net, OptimizerSpec optimizer) {
    var copy = DistributedDataParallel.of(workers.worker(rank), net);
    return Trainer.of(copy, optimizer, new CrossEntropyLoss())
        .withSchedule(new StepLr(1, 0.5))
        .withSchedule(new ReduceLrOnPlateau(0.5, 1));
  }

  private Trainer<Batch> trainer(int rank, Sequential net) {
    return trainer(rank, net, new Adam(0.05));
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

  private static List<double[]> state(Layer net) {
    return net.state().tensors().values().stream()
        .map(tensor -> tensor.to(DType.FLOAT64).doubles())
        .toList();
  }

  private static void requireSame(Layer net, Layer expected) {
    assertThat(state(net)).usingRecursiveComparison().isEqualTo(state(expected));
  }

  private static String error(Runnable body) {
    try {
      body.run();
      return "no error";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /// Two copies that were never stopped.
  private List<Sequential> whole(int epochs) {
    return onBoth(
        rank -> {
          Sequential net = net(rank);
          trainer(rank, net).fit(training(rank), epochs);
          return net;
        });
  }

  @Test
  void allWriteIntoOneFolderAndGoOnFromIt() {
    List<Sequential> whole = whole(4);
    onBoth(
        rank ->
            trainer(rank, net(rank))
                .withCheckpoints(new Checkpoints(folder, 2))
                .fit(training(rank), 2));
    List<Sequential> resumed =
        onBoth(
            rank -> {
              Sequential net = net(10 + rank);
              Trainer<Batch> trainer =
                  trainer(rank, net).withCheckpoints(new Checkpoints(folder, 2));
              assertThat(trainer.resume()).isTrue();
              assertThat(trainer.fit(training(rank), 4))
                  .extracting(Epoch::number)
                  .containsExactly(3L, 4L);
              return net;
            });
    requireSame(resumed.get(0), whole.get(0));
    requireSame(resumed.get(1), whole.get(1));
    assertThat(folder.toFile().list()).contains("epoch-3", "epoch-4");
  }

  @Test
  void theFoldersOfTheOthersDoNotMatter() {
    onBoth(
        rank -> {
          Trainer<Batch> trainer = trainer(rank, net(rank));
          if (rank == 0) {
            trainer.withCheckpoints(new Checkpoints(folder.resolve("0"), 2), 1);
          }
          return error(
              () ->
                  trainer
                      .withListener(
                          new TrainerListener() {
                            @Override
                            public void onStep(long step, double loss) {
                              if (step == 7) {
                                throw new IllegalStateException("the process ends");
                              }
                            }
                          })
                      .fit(training(rank), 4));
        });
    assertThat(folder.resolve("0/unfinished")).exists();
    List<Sequential> whole = whole(3);
    List<List<Epoch>> epochs = new CopyOnWriteArrayList<>();
    List<Sequential> resumed =
        onBoth(
            rank -> {
              Sequential net = net(10 + rank);
              Trainer<Batch> trainer =
                  trainer(rank, net).withCheckpoints(new Checkpoints(folder.resolve("" + rank), 2));
              assertThat(trainer.resume()).isTrue();
              epochs.add(trainer.fit(training(rank), 3));
              return net;
            });
    requireSame(resumed.get(0), whole.get(0));
    requireSame(resumed.get(1), whole.get(1));
    assertThat(epochs.get(0)).extracting(Epoch::number).containsExactly(2L, 3L);
    assertThat(epochs.get(0).getFirst().loss()).isEqualTo(epochs.get(1).getFirst().loss());
    assertThat(folder.resolve("1")).doesNotExist();
  }

  @Test
  void withoutACheckpointAllBeginAtTheBegin() {
    assertThat(
            onBoth(
                rank ->
                    trainer(rank, net(rank)).withCheckpoints(new Checkpoints(folder, 2)).resume()))
        .containsExactly(false, false);
  }

  @Test
  void whereOnlyOneResumesAllFail() {
    onBoth(
        rank ->
            trainer(rank, net(rank))
                .withCheckpoints(new Checkpoints(folder, 2))
                .fit(training(rank), 2));
    List<String> errors =
        onBoth(
            rank -> {
              Trainer<Batch> trainer =
                  trainer(rank, net(rank)).withCheckpoints(new Checkpoints(folder, 2));
              return error(
                  () -> {
                    if (rank == 0) {
                      trainer.resume();
                    }
                    trainer.fit(training(rank), 4);
                  });
            });
    assertThat(errors)
        .containsOnly(
            "trainers of copies differ in next call: worker0 resume, worker1 fit; use the same"
                + " settings and number of batches for all, and call resume on all or none");
  }

  @Test
  void copiesAtDifferentStepsFailOnAll() {
    onBoth(
        rank ->
            trainer(rank, net(rank))
                .withCheckpoints(new Checkpoints(folder, 2))
                .fit(training(rank), 2));
    List<String> errors =
        onBoth(
            rank -> {
              Trainer<Batch> trainer = trainer(rank, net(rank));
              if (rank == 0) {
                trainer.checkpoint().restore(folder.resolve("epoch-2"));
              }
              return error(() -> trainer.fit(training(rank), 4));
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .contains("epochs done: worker0 2, worker1 0")
                    .contains("steps done: worker0 8, worker1 0"));
  }

  @Test
  void aNewRunInAFolderWithCheckpointsFailsOnAll() {
    onBoth(
        rank ->
            trainer(rank, net(rank))
                .withCheckpoints(new Checkpoints(folder, 2))
                .fit(training(rank), 1));
    List<String> errors =
        onBoth(
            rank -> {
              Trainer<Batch> trainer =
                  trainer(rank, net(rank)).withCheckpoints(new Checkpoints(folder, 2));
              return error(() -> trainer.fit(training(rank), 1));
            });
    assertThat(errors.get(0)).isEqualTo(errors.get(1)).contains("is from an earlier run");
  }

  @Test
  void aDamagedCheckpointIsAnErrorOnAll() throws IOException {
    onBoth(
        rank ->
            trainer(rank, net(rank))
                .withCheckpoints(new Checkpoints(folder, 2))
                .fit(training(rank), 1));
    Files.writeString(folder.resolve("epoch-1/manifest.json"), "{");
    List<String> errors =
        onBoth(
            rank ->
                error(
                    () ->
                        trainer(rank, net(rank))
                            .withCheckpoints(new Checkpoints(folder, 2))
                            .resume()));
    assertThat(errors.get(0)).contains("epoch-1").contains("damaged");
    assertThat(errors.get(1)).isEqualTo("resume: worker0 failed: " + errors.get(0));
  }

  @Test
  void aCheckpointThatDoesNotFitOneCopyIsAnErrorOnAll() {
    onBoth(
        rank ->
            trainer(rank, net(rank))
                .withCheckpoints(new Checkpoints(folder, 2))
                .fit(training(rank), 1));
    List<String> errors =
        onBoth(
            rank -> {
              Trainer<Batch> trainer =
                  trainer(rank, net(rank)).withCheckpoints(new Checkpoints(folder, 2));
              if (rank == 1) {
                trainer.withSchedule(new StepLr(1, 0.5));
              }
              return error(trainer::resume);
            });
    assertThat(errors.get(1)).contains("it has the progress").contains("schedule3");
    assertThat(errors.get(0)).isEqualTo("resume: worker1 failed: " + errors.get(1));
  }

  @Test
  void theFirstNeedsTheFolder() {
    List<String> errors =
        onBoth(
            rank -> {
              Trainer<Batch> trainer = trainer(rank, net(rank));
              if (rank == 1) {
                trainer.withCheckpoints(new Checkpoints(folder, 2));
              }
              String resumed = error(trainer::resume);
              assertThat(resumed).contains("call withCheckpoints first to set the folder");
              return error(() -> trainer.fit(training(rank), 1));
            });
    assertThat(errors)
        .containsOnly(
            "trainers of copies: worker0 writes the checkpoints but has no folder; call"
                + " withCheckpoints there");
  }

  @Test
  void differentSettingsAndSizesFailOnAll() {
    List<String> errors =
        onBoth(
            rank ->
                error(
                    () ->
                        trainer(rank, net(rank), new Adam(rank == 0 ? 0.05 : 0.1))
                            .fit(examples(1, 3 + rank), 1)));
    assertThat(errors.get(0))
        .isEqualTo(errors.get(1))
        .startsWith(
            "trainers of copies differ in batches in an epoch: worker0 8, worker1 6; optimizer:"
                + " worker0 [Adam[learningRate=0.05,")
        .endsWith(
            "; use the same settings and number of batches for all, and call resume on all or"
                + " none");
  }

  @Test
  void epochsAreComparedByTheFirstsValidationOnAll() {
    List<List<Epoch>> epochs =
        onBoth(
            rank ->
                trainer(rank, net(rank))
                    .withEarlyStopping(1)
                    .fit(training(rank), examples(50 + rank, 5), 30));
    assertThat(epochs.get(0)).hasSameSizeAs(epochs.get(1));
    for (int i = 0; i < epochs.get(0).size(); i++) {
      assertThat(epochs.get(0).get(i).learningRate())
          .isEqualTo(epochs.get(1).get(i).learningRate());
      assertThat(epochs.get(0).get(i).loss()).isCloseTo(epochs.get(1).get(i).loss(), within(0.0));
    }
  }

  @Test
  void aModelThatGrewNeedsANewTrainer() {
    final class Growing extends Layer implements Forward {
      private final Linear linear = child("linear", new Linear(2, 2, new SplittableRandom(1)));

      @Override
      public Tensor forward(Tensor x) {
        return linear.forward(x);
      }

      private void grow() {
        child("adapter", new Linear(2, 2, new SplittableRandom(1)));
      }
    }

    Growing net = new Growing();
    Growing mean = new Growing();
    AveragedModel<Growing> average = new AveragedModel<>(net, mean, 0.5);
    Trainer<Batch> trainer = Trainer.of(net, new Adam(0.1), new CrossEntropyLoss());
    net.grow();
    assertThat(error(() -> trainer.fit(examples(1, 3), 1)))
        .isEqualTo(
            "trainer: adapter.weight was added to the model after its trainer was created, and"
                + " would not be trained; create the trainer last");
    assertThat(error(average::update)).startsWith("averaged model: the model has [adapter.bias,");
  }
}
