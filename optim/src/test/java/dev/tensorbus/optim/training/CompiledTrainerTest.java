// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Dataset;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.nn.activation.Tanh;
import dev.tensorbus.nn.dropout.Dropout;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.nn.normalization.BatchNorm;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.checkpoint.Contents;
import dev.tensorbus.optim.schedule.StepLr;
import dev.tensorbus.optim.server.ParameterServer;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.WithWorkers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Trainers whose losses and gradients are computed by ONNX Runtime, compared with those in Java.
final class CompiledTrainerTest {
  private static final int EPOCHS = 6;

  /// The steps of two trainers, each with two batches of five examples and one of two.
  private static final int STEPS = 2 * EPOCHS * 3;

  /// Those in Java: of 12 steps with five examples the first, second, 4th and 8th; of six with two
  /// examples the first, second and 4th.
  private static final int TRACED = 2 * (4 + 3);

  private final long seed = Long.getLong("seed", 1);

  /// The number of losses that Java has computed.
  private final AtomicInteger passes = new AtomicInteger();

  private final Loss counted =
      (predicted, wanted) -> {
        passes.incrementAndGet();
        return Losses.crossEntropy(predicted, wanted);
      };

  private static Sequential net(RandomGenerator random) {
    return new Sequential(
        new BatchNorm(3), // a bias before it would have gradients that are only rounding errors
        new Linear(3, 8, random),
        new Tanh(),
        new Dropout(0.2f, random),
        new Linear(8, 3, random));
  }

  private Sequential net() {
    return net(new SplittableRandom(seed));
  }

  /// 23 examples, and batches of 5: the last one of an epoch has 3.
  private DataLoader<Example, Batch> examples() {
    RandomGenerator random = new SplittableRandom(seed + 1);
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      int label = i % 3;
      Tensor bias = Tensor.of(Shape.of(3), new float[] {label, -label, 1});
      examples.add(new Example(Tensor.randn(random, 3).add(bias), label));
    }
    return DataLoader.of(Dataset.of(examples), 5, Batch::of).shuffled(seed);
  }

  /// The epochs of a training, and the net afterwards.
  private record Trained(List<Epoch> epochs, Layer net) {}

  private void requireSame(Trained actual, Trained expected) {
    for (int i = 0; i < expected.epochs.size(); i++) {
      Epoch epoch = actual.epochs.get(i);
      Epoch wanted = expected.epochs.get(i);
      assertThat(epoch.loss()).as("-Dseed=" + seed).isCloseTo(wanted.loss(), within(1e-4));
      assertThat(Objects.requireNonNull(epoch.validation()).loss())
          .as("-Dseed=" + seed)
          .isCloseTo(Objects.requireNonNull(wanted.validation()).loss(), within(1e-4));
      assertThat(epoch.learningRate()).isEqualTo(wanted.learningRate());
    }
    Map<String, Tensor> state = actual.net.state().tensors();
    expected
        .net
        .state()
        .tensors()
        .forEach(
            (name, tensor) ->
                assertThat(state.get(name).to(DType.FLOAT64).doubles())
                    .as("%s, -Dseed=%d", name, seed)
                    .containsExactly(tensor.to(DType.FLOAT64).doubles(), within(1e-3)));
  }

  /// Trains in this process with a changed trainer.
  ///
  /// @return the number of passes in Java, and the result
  private Map.Entry<Integer, Trained> train(UnaryOperator<Trainer<Batch>> change) {
    Sequential net = net();
    Trainer<Batch> trainer = change.apply(Trainer.of(net, new Adam(0.01), counted));
    passes.set(0);
    List<Epoch> epochs = trainer.fit(examples(), examples(), EPOCHS);
    return Map.entry(passesOfTraining(1), new Trained(epochs, net));
  }

  /// Returns the number of passes in Java without those of validations.
  private int passesOfTraining(int trainers) {
    return passes.get() - trainers * EPOCHS * examples().size();
  }

  @Test
  void aTrainingLearnsAsInJavaWhoseLastBatchesAreCompiledOnce() {
    var expected = train(trainer -> trainer);
    var actual = train(trainer -> trainer.compiled(Device.CPU));
    requireSame(actual.getValue(), expected.getValue());
    assertThat(expected.getKey()).isEqualTo(30);
    // Of 24 steps with five examples the first, second, 4th, 8th and 16th; of six with three
    // examples the first, second and 4th.
    assertThat(actual.getKey()).isEqualTo(8);
  }

  @Test
  void accumulationClippingAndSchedulesWorkAsInJava() {
    UnaryOperator<Trainer<Batch>> change =
        trainer ->
            trainer
                .withAccumulation(2)
                .withClipping(Clipping.byNorm(0.1))
                .withSchedule(new StepLr(2, 0.5));
    Map<String, String> described = new HashMap<>();
    var actual =
        train(
            trainer ->
                change.apply(trainer).compiled(Device.CPU).withProgress(described(described)));
    requireSame(actual.getValue(), train(change).getValue());
    assertThat(actual.getKey()).isEqualTo(8);
    assertThat(described).containsEntry("device", "cpu"); // for the live page
  }

  private static Progress described(Map<String, String> described) {
    return new Progress() {
      @Override
      public void start(long steps) {}

      @Override
      public void step(int samples, float loss) {}

      @Override
      public void describe(String name, String text) {
        described.put(name, text);
      }
    };
  }

  private List<Trained> onWorkers(
      MemoryWorld world,
      int first,
      BiFunction<Rpc, Sequential, Trainer<Batch>> create,
      int passesExpected) {
    passes.set(0);
    List<Future<Trained>> results =
        IntStream.range(first, first + 2)
            .mapToObj(
                rank ->
                    world.submit(
                        rank,
                        rpc -> {
                          Sequential net = net();
                          Trainer<Batch> trainer = create.apply(rpc, net);
                          var share = examples().shard(rank - first, 2);
                          return new Trained(trainer.fit(share, examples(), EPOCHS), net);
                        }))
            .toList();
    Future.all(results).await();
    assertThat(passesOfTraining(2)).isEqualTo(passesExpected);
    return results.stream().map(Future::result).toList();
  }

  @Test
  @WithWorkers(2)
  void copiesOnOneDeviceLearnAsInJava(MemoryWorld world) {
    BiFunction<Rpc, Sequential, Trainer<Batch>> create =
        (rpc, net) -> Trainer.of(DistributedDataParallel.of(rpc, net), new Adam(0.01), counted);
    List<Trained> expected = onWorkers(world, 0, create, STEPS);
    List<Trained> actual =
        onWorkers(world, 0, (rpc, net) -> create.apply(rpc, net).compiled(Device.CPU), TRACED);
    for (int i = 0; i < 2; i++) {
      requireSame(actual.get(i), expected.get(i));
    }
  }

  @Test
  @WithWorkers(3)
  void twoTrainersOfAServerOnOneDeviceLearnAsInJava(MemoryWorld world) {
    ParameterServer.start(world.worker(0), ServerOptions.of("worker0"));
    List<Trained> expected = onWorkers(world, 1, (rpc, net) -> ofStore(rpc, net, "java"), STEPS);
    List<Trained> actual =
        onWorkers(world, 1, (rpc, net) -> ofStore(rpc, net, "onnx").compiled(Device.CPU), TRACED);
    for (int i = 0; i < 2; i++) {
      requireSame(actual.get(i), expected.get(i));
    }
  }

  private Trainer<Batch> ofStore(Rpc rpc, Sequential net, String group) {
    StoreOptions options = StoreOptions.of("worker0").withTrainers(2).withGroup(group);
    var store = ParameterStore.join(rpc, net, new Sgd(0.05).withMomentum(0.5), options);
    return Trainer.of(store, counted);
  }

  private record Pairs(List<Tensor> sides, Tensor target) {}

  private record Weighted(Tensor input, double weight) {}

  private static DataLoader<Long, Pairs> pairs(int longer) {
    return DataLoader.of(
        Dataset.of(LongStream.range(0, 7).boxed().toList()),
        1,
        number -> {
          long index = number.getFirst();
          var random = new SplittableRandom(index);
          List<Tensor> sides = new ArrayList<>();
          for (int i = 0; i < (index == longer ? 3 : 2); i++) {
            sides.add(Tensor.randn(random, 2, 1));
          }
          return new Pairs(sides, Tensor.randn(random, 2, 1));
        });
  }

  private static float[] trainOnPairs(boolean isCompiled, int longer, AtomicInteger passes) {
    Linear net = new Linear(1, 1, new SplittableRandom(1));
    Trainer<Pairs> trainer =
        Trainer.of(
            net,
            new Sgd(0.1),
            (Pairs batch) -> {
              passes.incrementAndGet();
              Tensor sum = batch.sides.stream().map(net::forward).reduce(Tensor::add).orElseThrow();
              return Losses.mseLoss(sum, batch.target);
            });
    if (isCompiled) {
      trainer.compiled(Device.CPU);
    }
    trainer.fit(pairs(longer), 1);
    return net.parameters().getFirst().values();
  }

  @Test
  void aBatchMayHaveLists() {
    AtomicInteger passes = new AtomicInteger();
    float[] expected = trainOnPairs(false, -1, new AtomicInteger());
    assertThat(trainOnPairs(true, -1, passes)).containsExactly(expected, within(1e-5f));
    assertThat(passes).hasValue(3); // of 7 steps
  }

  @Test
  void aBatchWithOtherTensorsThanTheFirstRunsInJava() {
    AtomicInteger passes = new AtomicInteger();
    float[] expected = trainOnPairs(false, 4, new AtomicInteger());
    assertThat(trainOnPairs(true, 4, passes)).containsExactly(expected, within(1e-5f));
    assertThat(passes).hasValue(4);
  }

  @Test
  void whatIsNoTensorIsRefusedBeforeAnythingChanges() {
    Linear net = new Linear(1, 1, new SplittableRandom(1));
    float[] before = net.parameters().getFirst().values();
    var trainer =
        Trainer.of(
                net,
                new Sgd(0.1),
                new TrainingStep<Weighted>() {
                  @Override
                  public Tensor loss(Weighted batch) {
                    return net.forward(batch.input).scale(batch.weight).mean();
                  }

                  @Override
                  public int size(Weighted batch) {
                    return 1;
                  }
                })
            .compiled(Device.CPU);
    var data =
        DataLoader.of(Dataset.of(List.of(1, 2)), 1, _ -> new Weighted(Tensor.ones(1, 1), 0.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> trainer.fit(data, 1))
        .withMessage(
            "compiled: records: Weighted.weight is a java.lang.Double; expected a tensor, or a"
                + " record or list of tensors; make numbers tensors and leave other parts out, or"
                + " train without compiled");
    assertThat(net.parameters().getFirst().values()).isEqualTo(before);
  }

  @Remote
  static Sequential remote() {
    return net(new SplittableRandom(1));
  }

  @Test
  @WithWorkers(2)
  void aModelOfAnotherWorkerIsRefused(MemoryWorld world) {
    Rpc rpc = world.worker(1);
    var remote = new RemoteLayer<>(rpc.remote("worker0", CompiledTrainerTest::remote));
    var trainer = Trainer.of(rpc, remote, new Sgd(0.1), new CrossEntropyLoss());
    assertThatIllegalStateException()
        .isThrownBy(() -> trainer.compiled(Device.CPU))
        .withMessage(
            "compiled: the model is on another worker, and a graph cannot span workers; train copies"
                + " of it, with DistributedDataParallel or a ParameterStore");
  }

  @Test
  void memoryIsFreedWhenAListenerFails() {
    Sequential net = net();
    List<Tensor> unread = new ArrayList<>();
    var trainer =
        Trainer.of(net, new Sgd(0.1), new CrossEntropyLoss())
            .compiled(Device.CPU)
            .withListener(
                new TrainerListener() {
                  @Override
                  public void onStep(long step, double loss) {
                    if (step == 6) { // in ONNX Runtime, as the next one is
                      unread.add(mean(net).detach());
                    }
                    if (step == 7) {
                      throw new IllegalStateException("the listener fails");
                    }
                  }
                });
    assertThatIllegalStateException()
        .isThrownBy(() -> trainer.fit(examples(), 2))
        .withMessage("the listener fails");
    assertThat(mean(net).values()).hasSize(3);
    assertThatIllegalStateException()
        .isThrownBy(() -> unread.getFirst().values())
        .withMessageContaining("overwritten");
  }

  @Test
  void theContentsOfACheckpointStayWhatTheyAre() {
    Sequential net = net();
    List<Contents> contents = new ArrayList<>();
    var trainer = Trainer.of(net, new Sgd(0.1), new CrossEntropyLoss()).compiled(Device.CPU);
    trainer
        .withListener(
            new TrainerListener() {
              @Override
              public void onStep(long step, double loss) {
                contents.add(trainer.checkpoint().contents());
              }
            })
        .fit(examples(), 2);
    assertThat(contents)
        .extracting(each -> each.model().get("model.0.running_mean").values()[0])
        .doesNotHaveDuplicates()
        .endsWith(mean(net).values()[0]);
  }

  private static Tensor mean(Sequential net) {
    return Objects.requireNonNull(net.namedBuffers().get("0.running_mean"));
  }
}
