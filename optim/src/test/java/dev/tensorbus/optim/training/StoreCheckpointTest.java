// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Flatten;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.CheckpointException;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.schedule.ExponentialLr;
import dev.tensorbus.optim.server.LocalSteps;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.ManualClock;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checkpoints of parameters that live on servers. The workers 0 and 1 are trainers.
@Tag("slow")
class StoreCheckpointTest {
  private static final int EPOCHS = 3;
  private static final String[] ONE_SERVER = {"worker2"};
  private static final String[] THREE_SERVERS = {"worker3", "worker4", "worker5"};

  @TempDir private Path folder;

  /// Thrown by a trainer in order to end a run.
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// The first layer has two pieces.
  private static Sequential net(int classes) {
    Random random = new Random(1);
    return new Sequential(
        new Flatten(),
        new Linear(784, 100, random),
        new Dropout(0.2f, random),
        new Linear(100, classes, random));
  }

  private static void startServers(MemoryWorld world, String... names) {
    for (String name : names) {
      ParameterServer.start(world.worker(name.charAt(6) - '0'), ServerOptions.of(names));
    }
  }

  private static StoreOptions options(String group, String... servers) {
    return StoreOptions.of(servers).withGroup(group).withTrainers(2);
  }

  private static DataLoader<?, Batch> data(Rpc rpc, StoreOptions options) {
    var digits = DataLoader.of(StrokeDigits.draw(400, new Random(1)), 10, Batch::of).shuffled(1);
    return options.shards() > 0 ? digits : digits.shard(rpc.self().id(), 2);
  }

  /// A trainer of the group's trainers.
  ///
  /// @param data its data
  private record Setting(
      Trainer<Batch> trainer, ParameterStore<Sequential> store, DataLoader<?, Batch> data) {
    /// Returns the final values.
    private float[] fit() {
      trainer.fit(data, EPOCHS);
      return values(store.model());
    }

    /// Trains until this many steps are taken, and stops without an end.
    private float[] fitUntil(long last) {
      trainer.withListener(
          new TrainerListener() {
            @Override
            public void onStep(long step, double loss) {
              if (step == last) {
                throw new Stopped();
              }
            }
          });
      assertThatThrownBy(this::fit).isInstanceOf(Stopped.class);
      return values(store.model());
    }
  }

  private static float[] values(Sequential net) {
    return Tensor.concatenate(
            net.parameters().stream().map(parameter -> parameter.detach().reshape(-1)).toList(), 0)
        .values();
  }

  private static <R> R train(Rpc rpc, StoreOptions options, Function<Setting, R> part) {
    try (var store = ParameterStore.join(rpc, net(10), new Adam(0.003), options)) {
      var trainer =
          Trainer.of(store, new CrossEntropyLoss()).withStepSchedule(new ExponentialLr(0.99));
      return part.apply(new Setting(trainer, store, data(rpc, options)));
    }
  }

  /// Returns what each of the trainers returns.
  private static <R> List<R> trainAll(
      MemoryWorld world, StoreOptions options, Function<Setting, R> part) {
    List<Future<R>> trained =
        IntStream.range(0, options.trainers())
            .mapToObj(rank -> world.submit(rank, rpc -> train(rpc, options, part)))
            .toList();
    return trained.stream().map(one -> one.await()).toList();
  }

  private Checkpoints checkpoints() {
    return new Checkpoints(folder, 2);
  }

  private float[] resumeAndFit(Setting setting) {
    assertThat(setting.trainer().withCheckpoints(checkpoints(), 5).resume()).isTrue();
    return setting.fit();
  }

  private float[] saveUntil(Setting setting, int last) {
    setting.trainer().withCheckpoints(checkpoints(), 5);
    return setting.fitUntil(last);
  }

  @Test
  @WithWorkers(6)
  void aResumedRunOfOtherServersHasTheBitsOfOneRun(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    startServers(world, THREE_SERVERS);
    float[] expected = trainAll(world, options("one", ONE_SERVER), Setting::fit).getFirst();
    trainAll(world, options("begun", ONE_SERVER), setting -> saveUntil(setting, 27));
    trainAll(world, options("resumed", THREE_SERVERS), this::resumeAndFit)
        .forEach(values -> assertThat(values).isEqualTo(expected));
  }

  @Test
  @WithWorkers(6)
  void aResumedRunWithShardsHasTheBitsOfOneRunWhoeverTrains(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    startServers(world, THREE_SERVERS);
    StoreOptions alone = options("one", ONE_SERVER).withShards(4).withTrainers(1);
    float[] expected = trainAll(world, alone, Setting::fit).getFirst();
    StoreOptions begun = options("begun", THREE_SERVERS).withShards(4);
    trainAll(world, begun, setting -> saveUntil(setting, 17));
    assertThat(trainAll(world, alone.withGroup("resumed"), this::resumeAndFit).getFirst())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bsp:1", "quorum:1:10ms", "ssp:2", "async"})
  @WithWorkers(3)
  void allModesResume(String mode, MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions begun = options("begun", ONE_SERVER).withConsistency(mode);
    trainAll(world, begun, setting -> saveUntil(setting, 27));
    Sequential saved = net(10);
    new Checkpoint().withModel("model", saved).restoreModel(checkpoints().newest().orElseThrow());
    trainAll(
        world,
        begun.withGroup("resumed").withTrainers(1).withConsistency(mode.replace("bsp:1", "bsp")),
        setting -> {
          assertThat(setting.trainer().withCheckpoints(checkpoints(), 5).resume()).isTrue();
          assertThat(values(setting.store().model())).isEqualTo(values(saved));
          assertThat(setting.trainer().fit(setting.data(), EPOCHS)).hasSize(EPOCHS - 1);
          return true;
        });
  }

  @Test
  @WithWorkers(3)
  void localStepsResume(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions begun = options("begun", ONE_SERVER).withLocalSteps(LocalSteps.of(4));
    StoreOptions one = begun.withGroup("one").withTrainers(1);
    float[] expected = trainAll(world, one, Setting::fit).getFirst();
    trainAll(world, begun.withTrainers(1), setting -> saveUntil(setting, 27));
    trainAll(
        world,
        begun.withGroup("resumed").withTrainers(1),
        setting -> {
          assertThat(setting.trainer().withCheckpoints(checkpoints(), 5).resume()).isTrue();
          assertThat(setting.fit()).isEqualTo(expected);
          return true;
        });
  }

  @Test
  @WithWorkers(3)
  void aTrainerWithoutServersContinuesTheRunAndServersContinueItsRun(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions group = options("group", ONE_SERVER).withTrainers(1).withShards(4);
    float[] last = trainAll(world, group, Setting::fit).getFirst();
    trainAll(world, group.withGroup("saved"), setting -> saveUntil(setting, 17));
    Sequential net = net(10);
    var alone =
        Trainer.of(net, new Adam(0.003), new CrossEntropyLoss())
            .withStepSchedule(new ExponentialLr(0.99))
            .withCheckpoints(checkpoints());
    assertThat(alone.resume()).isTrue();
    assertThat(alone.epochs()).isEqualTo(1);
    alone.checkpoint().save(folder.resolve("epoch-9"));
    delete(folder.resolve("unfinished"));
    delete(folder.resolve("epoch-1"));
    trainAll(world, group.withGroup("resumed"), this::resumeAndFit)
        .forEach(values -> assertThat(values).isEqualTo(last));
  }

  @Test
  @WithWorkers(3)
  void aTrainerThatComesBackToARunningGroupChangesNothing(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions group = options("group", ONE_SERVER).withTrainers(1);
    float[] last = trainAll(world, group, setting -> saveUntil(setting, 27)).getFirst();
    trainAll(
        world,
        group,
        setting -> {
          assertThat(setting.trainer().withCheckpoints(checkpoints()).resume()).isTrue();
          assertThat(values(setting.store().model())).isEqualTo(last); // 25 steps are saved
          return true;
        });
  }

  @Test
  @WithWorkers(3)
  void aTrainerWhoseGroupHasBegunWithoutItsCheckpointIsRefused(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions alone = options("begun", ONE_SERVER).withTrainers(1);
    trainAll(world, alone, setting -> saveUntil(setting, 27));
    StoreOptions other = alone.withGroup("other");
    trainAll(world, other, setting -> setting.fitUntil(3));
    trainAll(
        world,
        other,
        setting -> {
          var trainer = setting.trainer().withCheckpoints(checkpoints());
          assertThatThrownBy(trainer::resume)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("\"other\" has taken 3 steps, but the checkpoint")
              .hasMessageContaining("of this trainer 25; let all trainers resume from the same");
          return true;
        });
  }

  @Test
  @WithWorkers(3)
  void theNextTrainerWritesIfTheFirstIsGone(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions group = options("group", ONE_SERVER).withShards(4);
    Future<float[]> first =
        world.submit(0, rpc -> train(rpc, group, setting -> saveUntil(setting, 7)));
    Future<float[]> second =
        world.submit(
            1,
            rpc ->
                train(
                    rpc,
                    group,
                    setting -> {
                      setting.trainer().withCheckpoints(checkpoints(), 5);
                      return setting.fit();
                    }));
    first.await();
    second.await();
    assertThat(checkpoints().newest().orElseThrow()).hasFileName("epoch-" + EPOCHS);
  }

  @Test
  @WithWorkers(3)
  void theFirstTrainerDecidesWhenItIsTimeForACheckpoint(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    trainAll(
        world,
        options("group", ONE_SERVER),
        setting -> {
          boolean isFirst = setting.store().rpc().self().id() == 0;
          ManualClock clock = new ManualClock();
          setting
              .trainer()
              .withCheckpoints(checkpoints(), Duration.ofSeconds(4))
              .withClock(clock)
              .withListener(
                  new TrainerListener() {
                    @Override
                    public void onStep(long step, double loss) {
                      clock.advance(Duration.ofSeconds(isFirst ? 1 : 60));
                    }
                  });
          return setting.fitUntil(27);
        });
    assertThat(checkpoints().newest().map(TrainerTest::steps)).contains(24L);
  }

  @Test
  @WithWorkers(3)
  void aTrainerThatComesBackToARunningGroupNeedNotResume(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions group = options("group", ONE_SERVER).withTrainers(1).withShards(2);
    float[] expected = trainAll(world, group.withGroup("one"), Setting::fit).getFirst();
    trainAll(world, group, setting -> saveUntil(setting, 27));
    trainAll(
        world,
        group,
        setting -> {
          setting.trainer().withCheckpoints(checkpoints(), 5);
          assertThat(setting.fit()).isEqualTo(expected);
          return true;
        });
  }

  @Test
  @WithWorkers(3)
  void anotherModelsCheckpointIsRefusedInOneLine(MemoryWorld world) {
    startServers(world, ONE_SERVER);
    StoreOptions group = options("group", ONE_SERVER).withTrainers(1);
    trainAll(world, group, setting -> saveUntil(setting, 7));
    StoreOptions other = group.withGroup("other");
    Rpc rpc = world.worker(0);
    try (var store = ParameterStore.join(rpc, net(11), new Adam(0.003), other)) {
      var trainer =
          Trainer.of(store, new CrossEntropyLoss())
              .withStepSchedule(new ExponentialLr(0.99))
              .withCheckpoints(checkpoints());
      assertThatThrownBy(trainer::resume)
          .isInstanceOf(CheckpointException.class)
          .hasMessageMatching(
              ".*unfinished: model.3.weight is float32 \\[10, 100], expected float32 \\[11, 100].*");
      assertThat(values(store.model())).isEqualTo(values(net(11)));
    }
  }

  /// Cuts off one of the files of a checkpoint at a byte of all of them, and returns its name.
  private static String cutOff(Path checkpoint, Random random) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(checkpoint)) {
      files = all.filter(file -> !file.endsWith("write.lock")).sorted().toList();
    }
    long offset = random.nextLong(files.stream().mapToLong(file -> file.toFile().length()).sum());
    for (Path file : files) {
      long size = Files.size(file);
      if (offset < size) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(offset);
        }
        return file.getFileName() + " at " + offset;
      }
      offset -= size;
    }
    throw new IllegalStateException();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  @WithWorkers(3)
  void aCheckpointThatIsCutOffAnywhereIsSkippedOrRefusedInOneLine(
      MemoryWorld world, @TempDir Path copies) {
    startServers(world, ONE_SERVER);
    StoreOptions group = options("group", ONE_SERVER).withTrainers(1).withShards(4);
    trainAll(world, group, setting -> saveUntil(setting, 17)); // epoch 1 and step 15
    trainAll(
        world,
        group.withGroup("resumed"),
        setting -> {
          try {
            return resumeFromCutOff(setting.store(), copies);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private boolean resumeFromCutOff(ParameterStore<Sequential> store, Path copies)
      throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      Path copy = copies.resolve("copy" + i);
      copy(folder, copy);
      String what = cutOff(copy.resolve("unfinished"), random) + ", seed " + seed;
      Trainer<Batch> trainer = resumable(store, copy);
      assertThat(trainer.resume()).as(what).isTrue();
      assertThat(trainer.epochs()).as(what).isEqualTo(1);
      assertThat(TrainerTest.steps(copy.resolve("epoch-1"))).as(what).isEqualTo(10);
      delete(copy.resolve("epoch-1"));
      float[] before = values(store.model());
      assertThatThrownBy(() -> resumable(store, copy).resume())
          .as(what)
          .isInstanceOf(CheckpointException.class)
          .hasMessageMatching(".*unfinished: .* is damaged: .*; restore another checkpoint, or.*");
      assertThat(values(store.model())).as(what).isEqualTo(before);
      delete(copy);
    }
    return true;
  }

  private static Trainer<Batch> resumable(ParameterStore<Sequential> store, Path folder) {
    return Trainer.of(store, new CrossEntropyLoss())
        .withStepSchedule(new ExponentialLr(0.99))
        .withCheckpoints(new Checkpoints(folder, 2));
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
