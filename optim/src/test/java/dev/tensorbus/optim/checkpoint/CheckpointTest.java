// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerCases;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.optim.distributed.Half;
import dev.tensorbus.optim.schedule.OneCycleLr;
import dev.tensorbus.optim.schedule.RateSchedule;
import dev.tensorbus.optim.schedule.ReduceLrOnPlateau;
import dev.tensorbus.optim.schedule.Schedule;
import dev.tensorbus.optim.schedule.Scheduler;
import dev.tensorbus.optim.schedule.StepLr;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class CheckpointTest {
  @AutoClose private static MemoryWorld workers;

  @BeforeAll
  static void open() {
    workers = new MemoryWorld(3);
  }

  @TempDir private Path folder;

  /// A network of two halves on any workers, and all that its training consists of.
  private static final class Run {
    private final Rpc rpc = workers.worker(0);
    private final RemoteLayer<Half> first;
    private final RemoteLayer<Half> second;
    private final DistributedOptimizer optimizer;
    private final Scheduler scheduler;
    private final Checkpoint checkpoint;

    Run(OptimizerSpec spec, long seed, int firstOwner, int secondOwner) {
      this(spec, seed, firstOwner, secondOwner, new StepLr(2, 0.5));
    }

    Run(OptimizerSpec spec, long seed, int firstOwner, int secondOwner, Schedule schedule) {
      first = half(seed, firstOwner);
      second = half(seed + 1, secondOwner);
      List<RRef<Tensor>> parameters = new ArrayList<>(first.remoteParameters());
      parameters.addAll(second.remoteParameters());
      optimizer =
          DistributedOptimizer.create(
              rpc,
              List.of(
                  new ParameterGroup<>(spec, parameters.subList(0, 1)),
                  new ParameterGroup<>(spec, parameters.subList(1, 4))));
      scheduler = schedule.over(optimizer.groups());
      checkpoint =
          new Checkpoint()
              .withModel("first", first.rref())
              .withModel("second", second.rref())
              .withOptimizer("optimizer", optimizer)
              .withProgress("schedule", scheduler);
    }

    private RemoteLayer<Half> half(long seed, int owner) {
      return new RemoteLayer<>(rpc.remote("worker" + owner, Half::new, seed));
    }

    /// The loss of each step, one an epoch.
    List<Float> train(int steps) {
      List<Float> losses = new ArrayList<>();
      for (int i = 0; i < steps; i++) {
        Tensor batch = Tensor.randn(new SplittableRandom(scheduler.epoch()), 4, Half.WIDTH);
        try (var context = DistAutograd.context(rpc)) {
          Tensor hidden = first.rpcSync(Half::forward, batch);
          Tensor loss = second.rpcSync(Half::forward, hidden).sum();
          context.backward(loss);
          optimizer.step(context);
          losses.add(loss.item());
        }
        scheduler.step();
      }
      return losses;
    }
  }

  static Stream<OptimizerSpec> specs() {
    return Stream.of("sgd_all", "adam_all", "adagrad_all", "rmsprop_all", "rprop_all")
        .map(OptimizerCases.all()::get);
  }

  @ParameterizedTest
  @MethodSource("specs")
  void aResumedRunHasTheLossesOfOneThatWasNotStopped(OptimizerSpec spec) {
    Run stopped = new Run(spec, 1, 1, 2);
    stopped.train(5);
    stopped.checkpoint.save(folder);
    List<Float> expected = stopped.train(5);
    Run resumed = new Run(spec, 7, 1, 2);
    resumed.checkpoint.restore(folder);
    assertThat(resumed.train(5)).isEqualTo(expected);
  }

  @Test
  void aRunMayGoOnWithOtherOwners() {
    Run stopped = new Run(new Adam(0.01), 1, 1, 2);
    stopped.train(5);
    stopped.checkpoint.save(folder);
    List<Float> expected = stopped.train(5);
    for (int[] owners : new int[][] {{2, 1}, {0, 0}}) {
      Run resumed = new Run(new Adam(0.5), 7, owners[0], owners[1]);
      resumed.checkpoint.restore(folder);
      assertThat(resumed.train(5)).isEqualTo(expected);
    }
  }

  @Test
  void localOptimizersAreKeptToo() {
    Optimizer saved = local(1);
    saved.step(_ -> null);
    saved.step(parameter -> parameter.shape().rank() == 1 ? parameter : null);
    checkpoint(saved).save(folder);
    Optimizer resumed = local(1);
    checkpoint(resumed).restore(folder);
    assertThat(resumed.state().groups().getFirst().spec()).isEqualTo(new Adam(1));
    assertThat(resumed.state().groups().getFirst().memories())
        .extracting(memory -> memory.steps() + " " + memory.tensors().keySet().size())
        .containsExactly("0 0", "1 2");
  }

  private static Optimizer local(long seed) {
    return new Adam(1).over(new Linear(3, 2, new SplittableRandom(seed)).parameters());
  }

  private static Checkpoint checkpoint(Optimizer optimizer) {
    return new Checkpoint().withOptimizer("adam", optimizer);
  }

  @Test
  void infinitiesAreKept() {
    List<ParameterGroup<Tensor>> groups =
        List.of(new ParameterGroup<>(new Sgd(1), List.<Tensor>of()));
    var scheduler = new ReduceLrOnPlateau(0.5, 1).over(groups);
    Checkpoint checkpoint = new Checkpoint().withProgress("plateau", scheduler);
    checkpoint.save(folder);
    scheduler.step(1);
    checkpoint.restore(folder);
    assertThat(scheduler.state()).containsEntry("best", Double.POSITIVE_INFINITY);
  }

  @Test
  void refusesAFolderWithoutCheckpoint() {
    refuses(new Checkpoint(), "manifest.json is missing");
  }

  @Test
  void refusesACheckpointOfOtherPartsAndChangesNothing() {
    Linear layer = new Linear(2, 3, new SplittableRandom(1));
    Optimizer optimizer = new Adam(0.5).over(layer.parameters());
    optimizer.step(parameter -> parameter);
    new Checkpoint().withModel("layer", layer).withOptimizer("adam", optimizer).save(folder);
    Linear wider = new Linear(2, 4, new SplittableRandom(1));
    float[] before = wider.parameters().getFirst().values();
    refuses(
        new Checkpoint()
            .withModel("layer", wider)
            .withOptimizer("adam", new Adam(1).over(wider.parameters())),
        "layer.weight is float32 [3, 2], expected float32 [4, 2]");
    refuses(
        new Checkpoint().withModel("layer", layer), "it has the optimizers [adam], expected []");
    refuses(
        new Checkpoint().withModel("other", layer).withOptimizer("adam", optimizer),
        "it has the tensors [layer.bias, layer.weight], expected [other.bias, other.weight]");
    refuses(
        new Checkpoint()
            .withModel("layer", layer)
            .withOptimizer("adam", new Sgd(1).over(layer.parameters())),
        "it was saved with Adam, expected Sgd");
    refuses(
        new Checkpoint()
            .withModel("layer", layer)
            .withOptimizer("adam", new Adam(1).over(layer.parameters().reversed())),
        "optimizer: the state has a different exp_avg for parameter 0: float32 [3, 2], expected"
            + " float32 [3]; load it into an optimizer like the saved one");
    assertThat(wider.parameters().getFirst().values()).isSameAs(before);
  }

  @Test
  void refusesADistributedOptimizerOfOtherShapesBeforeAnyOwnerChanges() {
    Linear layer = new Linear(2, 3, new SplittableRandom(1));
    Optimizer optimizer = new Adam(0.5).over(layer.parameters());
    optimizer.step(parameter -> parameter);
    Run run = new Run(new Adam(1), 1, 1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run.optimizer.load(optimizer.state()))
        .withMessage(
            "optimizer: the state has a different number of groups: 1, expected 2; load it into an"
                + " optimizer like the saved one");
  }

  @Test
  void theModelAloneIsRestoredIfAskedFor() throws IOException {
    Run saved = new Run(new Adam(0.01), 1, 1, 2);
    saved.train(3);
    saved.checkpoint.save(folder);
    List<Float> expected = saved.train(1);
    try (var files = Files.newDirectoryStream(folder, "optimizers-*")) {
      Files.delete(files.iterator().next());
    }
    Run other = new Run(new Sgd(0.5), 7, 2, 0); // another optimizer, other owners
    other.checkpoint.restoreModel(folder);
    assertThat(other.scheduler.epoch()).isEqualTo(0);
    for (int step = 0; step < 3; step++) {
      other.scheduler.step(); // to the batch that the saved run had next
    }
    assertThat(other.train(1)).isEqualTo(expected);
    Half here = new Half(9);
    new Checkpoint().withModel("second", here).restoreModel(folder);
    assertThat(here.state().tensors().keySet()).hasSize(2);
  }

  @Test
  void thePartsThatAreAskedForAreRestoredAndNoOthers() {
    Linear encoder = new Linear(2, 3, new SplittableRandom(1));
    Linear decoder = new Linear(3, 2, new SplittableRandom(2));
    Optimizer adam = new Adam(0.5).over(encoder.parameters());
    adam.step(parameter -> parameter);
    Scheduler schedule = new StepLr(2, 0.5).over(adam.groups());
    schedule.step();
    Checkpoint checkpoint =
        new Checkpoint()
            .withModel("encoder", encoder)
            .withModel("decoder", decoder)
            .withOptimizer("adam", adam)
            .withProgress("schedule", schedule);
    checkpoint.save(folder);
    float[] savedWeight = encoder.parameters().getFirst().values();
    encoder.parameters().getFirst().update(old -> new float[old.length]);
    decoder.parameters().getFirst().update(old -> new float[old.length]);
    adam.step(parameter -> parameter);
    schedule.step();
    checkpoint.restoreParts(folder, "encoder", "schedule");
    assertThat(encoder.parameters().getFirst().values()).isEqualTo(savedWeight);
    assertThat(decoder.parameters().getFirst().values()).containsOnly(0);
    assertThat(schedule.epoch()).isEqualTo(1);
    assertThat(adam.state().groups().getFirst().memories().getFirst().steps()).isEqualTo(2);
    checkpoint.restoreParts(folder, "adam");
    assertThat(adam.state().groups().getFirst().memories().getFirst().steps()).isEqualTo(1);
    assertThat(decoder.parameters().getFirst().values()).containsOnly(0);
  }

  @Test
  void aPartThatIsNotThereIsRefusedAndNothingChanges() {
    Linear layer = new Linear(2, 3, new SplittableRandom(1));
    new Checkpoint().withModel("layer", layer).save(folder);
    Linear other = new Linear(2, 3, new SplittableRandom(2));
    float[] before = other.parameters().getFirst().values();
    Checkpoint checkpoint =
        new Checkpoint()
            .withModel("layer", other)
            .withModel("head", layer)
            .withOptimizer("adam", new Adam(1).over(layer.parameters()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checkpoint.restoreParts(folder, "layer", "tail"))
        .withMessage(
            "checkpoint: cannot restore [layer, tail]; available parts: [adam, head, layer]");
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> checkpoint.restoreModel(folder))
        .withMessageContaining(
            "it has the tensors [layer.bias, layer.weight], expected [head.bias, head.weight,"
                + " layer.bias, layer.weight];");
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> checkpoint.restoreParts(folder, "layer", "adam"))
        .withMessageContaining("it has the optimizers [], expected [adam];");
    assertThat(other.parameters().getFirst().values()).isSameAs(before);
    checkpoint.restoreParts(folder, "layer");
    assertThat(other.parameters().getFirst().values())
        .isEqualTo(layer.parameters().getFirst().values());
  }

  @Test
  void aNameIsGivenOnce() {
    Linear layer = new Linear(1, 1, new SplittableRandom(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Checkpoint().withModel("layer", layer).withModel("layer", layer))
        .withMessage("checkpoint: part \"layer\" already exists; use another name");
  }

  @Test
  void aCycleGoesOnWithItsMomentum() {
    Linear layer = new Linear(1, 1, new SplittableRandom(1));
    Optimizer optimizer = new Adam(1).over(layer.parameters());
    Scheduler scheduler = new OneCycleLr(0.1, 9).over(optimizer.groups());
    Checkpoint checkpoint =
        new Checkpoint().withOptimizer("adam", optimizer).withProgress("cycle", scheduler);
    scheduler.step();
    checkpoint.save(folder);
    OptimizerSpec saved = optimizer.groups().getFirst().spec();
    scheduler.step();
    checkpoint.restore(folder);
    assertThat(optimizer.groups().getFirst().spec()).isEqualTo(saved);
    assertThat(scheduler.epoch()).isEqualTo(1);
  }

  @Test
  void aRunThatBeginsWithAnotherRateContinuesWithTheSavedOne() {
    RateSchedule falling = (epoch, initial, _) -> initial / (1 + epoch);
    Run saved = new Run(new Adam(0.1), 1, 1, 2, falling);
    saved.train(3);
    saved.checkpoint.save(folder);
    List<Float> expected = saved.train(4);
    Run resumed = new Run(new Adam(0.5), 7, 2, 0, falling);
    resumed.checkpoint.restore(folder);
    assertThat(resumed.train(4)).isEqualTo(expected);
    assertThat(resumed.optimizer.groups())
        .extracting(ParameterGroup::initial)
        .containsOnly(new Adam(0.1));
  }

  @Test
  void aDistributedOptimizerWithoutScheduleIsRestored() {
    Rpc rpc = workers.worker(0);
    List<RRef<Tensor>> there =
        new RemoteLayer<>(rpc.remote("worker1", Half::new, 1L)).remoteParameters();
    DistributedOptimizer saved = DistributedOptimizer.create(rpc, new Adam(0.1), there);
    new Checkpoint().withOptimizer("adam", saved).save(folder);
    DistributedOptimizer restored = DistributedOptimizer.create(rpc, new Adam(0.5), there);
    new Checkpoint().withOptimizer("adam", restored).restore(folder);
    ParameterGroup<RRef<Tensor>> group = restored.groups().getFirst();
    assertThat(group.spec()).isEqualTo(new Adam(0.1));
    assertThat(group.initial()).isNull();
  }

  private void refuses(Checkpoint checkpoint, String reason) {
    assertThatExceptionOfType(CheckpointException.class)
        .isThrownBy(() -> checkpoint.restore(folder))
        .withMessage(
            "checkpoint %s: %s; restore with the parts that were saved, call restoreParts for"
                + " only some of them, or use another folder",
            folder, reason);
  }
}
