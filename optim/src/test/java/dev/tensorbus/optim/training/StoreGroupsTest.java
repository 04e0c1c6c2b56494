// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.StrokeDigits;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.schedule.ExponentialLr;
import dev.tensorbus.optim.server.LocalSteps;
import dev.tensorbus.optim.server.ModelServerException;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several groups of parameters, each with an optimizer and a consistency, that one trainer trains.
/// The worker 0 is a server.
class StoreGroupsTest {
  private static final OptimizerSpec SGD = new Sgd(0.1).withMomentum(0.9);
  private static final OptimizerSpec ADAM = new Adam(0.01);
  private static final Clipping CLIPPING = Clipping.byNorm(0.5);
  private static final double DECAY = 0.95;
  private static final int EPOCHS = 2;
  private static final StoreOptions SERVED = StoreOptions.of("worker0");

  /// A network of two layers, whose parts have a group each.
  private static final class Net extends Layer implements Forward {
    private final Linear first;
    private final Linear second;

    private Net() {
      Random random = new Random(1);
      first = child("first", new Linear(784, 20, random));
      second = child("second", new Linear(20, 10, random));
    }

    @Override
    public Tensor forward(Tensor images) {
      return second.forward(first.forward(images.flatten(1)).relu());
    }

    private float[] values() {
      return Tensor.concatenate(
              parameters().stream().map(parameter -> parameter.detach().reshape(-1)).toList(), 0)
          .values();
    }
  }

  private static DataLoader<?, Batch> digits() {
    return DataLoader.of(StrokeDigits.draw(200, new Random(1)), 10, Batch::of).shuffled(1);
  }

  /// Trains with both groups.
  private static <R> R train(
      Rpc rpc, Net net, String run, int trainers, Function<Trainer<Batch>, R> part) {
    StoreOptions options = SERVED.withTrainers(trainers);
    try (var first = ParameterStore.join(rpc, net.first, SGD, options.withGroup(run + "-first"));
        var second =
            ParameterStore.join(
                rpc,
                net.second,
                ADAM,
                options.withGroup(run + "-second").withConsistency("async"))) {
      var trainer = Trainer.of(net, List.of(first, second), new CrossEntropyLoss());
      return part.apply(
          trainer
              .withClipping(CLIPPING)
              .withStepSchedule(new ExponentialLr(DECAY), trainer.groups().getLast()));
    }
  }

  private static Net trained(Rpc rpc, String run) {
    Net net = new Net();
    List<Epoch> _ = train(rpc, net, run, 1, trainer -> trainer.fit(digits(), EPOCHS));
    return net;
  }

  private static float[] trainedHere() {
    Net net = new Net();
    var sgd = new ParameterGroup<>(SGD, net.first.parameters());
    var adam = new ParameterGroup<>(ADAM, net.second.parameters());
    Optimizer optimizer = new Optimizer(List.of(sgd, adam));
    var schedule = new ExponentialLr(DECAY).over(List.of(adam));
    DataLoader<?, Batch> digits = digits();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      for (Batch batch : digits) {
        optimizer.zeroGrad();
        Losses.crossEntropy(net.forward(batch.inputs()), batch.targets()).backward();
        double _ = optimizer.step(CLIPPING);
        schedule.step();
      }
    }
    return net.values();
  }

  @Test
  @WithWorkers(2)
  void oneTrainerHasTheBitsOfALocalModelWithTheSameOptimizers(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    assertThat(trained(world.worker(1), "run").values()).isEqualTo(trainedHere());
  }

  @Test
  @WithWorkers(2)
  void aResumedRunHasTheBitsOfOneRun(MemoryWorld world, @TempDir Path folder) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    Rpc rpc = world.worker(1);
    Checkpoints checkpoints = new Checkpoints(folder, 1);
    boolean _ =
        train(
            rpc,
            new Net(),
            "begun",
            1,
            trainer -> {
              trainer.withCheckpoints(checkpoints, 8).withListener(stopAfter(29));
              assertThatThrownBy(() -> trainer.fit(digits(), EPOCHS)).hasMessage("step 29");
              return true;
            });
    Net net = new Net();
    boolean _ =
        train(
            rpc,
            net,
            "resumed",
            1,
            trainer -> {
              assertThat(trainer.withCheckpoints(checkpoints, 8).resume()).isTrue();
              assertThat(trainer.fit(digits(), EPOCHS).getFirst().steps()).isEqualTo(40);
              return true;
            });
    assertThat(net.values()).isEqualTo(trained(rpc, "whole").values());
  }

  private static TrainerListener stopAfter(long last) {
    return new TrainerListener() {
      @Override
      public void onStep(long step, double loss) {
        if (step == last) {
          throw new IllegalStateException("step " + step);
        }
      }
    };
  }

  @Test
  @WithWorkers(3)
  void aTrainerThatDiesDelaysNoGroup(MemoryWorld world) throws InterruptedException {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    List<Future<List<Epoch>>> trained =
        Stream.of(1, 2)
            .map(
                rank ->
                    world.submit(
                        rank,
                        rpc -> train(rpc, new Net(), "run", 2, each -> each.fit(digits(), 5))))
            .toList();
    world.awaitSteps(2, 7);
    world.kill(2);
    List<Epoch> epochs = trained.getFirst().await();
    assertThat(epochs).hasSize(5);
    assertThat(epochs.getLast().loss()).isLessThan(epochs.getFirst().loss());
  }

  @Test
  @WithWorkers(2)
  void aGradientThatIsNotFiniteIsPushedToNoGroup(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    Rpc rpc = world.worker(1);
    Net net = new Net();
    try (var first = ParameterStore.join(rpc, net.first, SGD, SERVED.withGroup("first"));
        var second = ParameterStore.join(rpc, net.second, ADAM, SERVED.withGroup("second"))) {
      float[] before = net.values();
      var trainer =
          Trainer.of(
              net,
              List.of(first, second),
              (Batch batch) ->
                  net.forward(batch.inputs())
                      .sum()
                      .add(net.second.parameters().getFirst().sum().scale(Float.NaN)));
      assertThatThrownBy(() -> trainer.fit(digits(), 1))
          .isInstanceOf(ModelServerException.class)
          .hasMessageStartingWith("gradient \"weight\" has NaN or infinite values");
      first.pull().await();
      assertThat(net.values()).isEqualTo(before);
      assertThat(first.hasBegun()).isFalse();
    }
  }

  @Test
  @WithWorkers(2)
  void groupsThatAreNotThePartsOfTheModelAreRefusedInOneLine(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    Rpc rpc = world.worker(1);
    Net net = new Net();
    try (var first = ParameterStore.join(rpc, net.first, SGD, SERVED.withGroup("a"));
        var second = ParameterStore.join(rpc, net.second, SGD, SERVED.withGroup("b"));
        var all = ParameterStore.join(rpc, net, SGD, SERVED.withGroup("c"));
        var sharded =
            ParameterStore.join(rpc, net.second, SGD, SERVED.withGroup("d").withShards(2));
        var diloco =
            ParameterStore.join(
                rpc, net.second, SGD, SERVED.withGroup("e").withLocalSteps(LocalSteps.of(4)))) {
      assertRefused(
          net,
          "trainer: parameter second.weight is in no group; join each store with another part of the"
              + " model",
          first);
      assertRefused(
          net,
          "trainer: parameter first.weight is in the groups [a, c]; join each store with another"
              + " part of the model",
          first,
          all);
      assertRefused(
          net.first,
          "trainer: the group b has parameters that the model lacks; join its store with a part of"
              + " the model",
          first,
          second);
      assertRefused(
          net,
          "trainer: the group d has shards, and a model of several groups cannot; join without them",
          first,
          sharded);
      assertRefused(
          net,
          "trainer: the group e has local steps, and a model of several groups cannot; join without"
              + " them",
          first,
          diloco);
      var trainer = Trainer.of(net, List.of(first, second), new CrossEntropyLoss());
      var other = new ParameterGroup<>(SGD, net.parameters());
      assertThatThrownBy(() -> trainer.withSchedule(new ExponentialLr(0.9), other))
          .hasMessage(
              "schedule: the group is not one of this trainer; pass one of Trainer.groups()");
    }
  }

  private static <L extends Layer & Forward> void assertRefused(
      L model, String message, ParameterStore<?>... stores) {
    assertThatThrownBy(() -> Trainer.of(model, List.of(stores), new CrossEntropyLoss()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
