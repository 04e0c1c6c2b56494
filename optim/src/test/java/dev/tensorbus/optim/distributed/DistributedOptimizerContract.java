// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Adagrad;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.NonFiniteGradientException;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerCases;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.autograd.DistContext;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A network of which two workers have a half each learns as one that is here, bit for bit,
/// however they are connected; the subclasses say how.
abstract class DistributedOptimizerContract {
  static final int WORKERS = 3;

  private static final int STEPS = 5;

  private final Rpc rpc;
  private final RemoteLayer<Half> first;
  private final RemoteLayer<Half> second;
  private final Half localFirst = new Half(1);
  private final Half localSecond = new Half(2);

  /// Learns on worker0, with what worker1 and worker2 own.
  DistributedOptimizerContract(Rpc worker0) {
    rpc = worker0;
    first = half(1);
    second = half(2);
  }

  private RemoteLayer<Half> half(int worker) {
    return new RemoteLayer<>(rpc.remote("worker" + worker, Half::new, (long) worker));
  }

  static Stream<Arguments> specs() {
    return OptimizerCases.all().entrySet().stream()
        .map(named -> Arguments.of(named.getKey(), named.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("specs")
  void stepsAsTheLocalOptimizer(String name, OptimizerSpec spec) {
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, spec, parameters());
    Optimizer local = spec.over(localParameters());
    for (int step = 0; step < STEPS; step++) {
      try (var context = DistAutograd.context(rpc)) {
        context.backward(loss(step));
        optimizer.step(context);
      }
      localBackward(local, step);
      local.step();
    }
    requireEqual();
  }

  @Test
  void stepsOverRowsOfATableElsewhereShareItsOtherRows() {
    RemoteLayer<Table> table = new RemoteLayer<>(rpc.remote("worker1", Table::new, 7L));
    Table local = new Table(7);
    DistributedOptimizer optimizer =
        DistributedOptimizer.create(rpc, new Adagrad(0.1), table.remoteParameters());
    Optimizer localOptimizer = new Adagrad(0.1).over(local.parameters());
    for (int step = 0; step < STEPS; step++) {
      Tensor numbers = Tensor.ofLongs(step, Table.ROWS - 1, 17, step);
      try (var context = DistAutograd.context(rpc)) {
        Tensor rows = table.rpcSync(Table::forward, numbers);
        context.backward(rows.mul(rows).sum());
        optimizer.step(context);
      }
      Tensor rows = local.forward(numbers);
      localOptimizer.zeroGrad();
      rows.mul(rows).sum().backward();
      localOptimizer.step();
    }
    assertThat(table.rpcSync(Table::isChangedByRows)).isTrue();
    assertThat(table.remoteParameters().getFirst().toHere().values())
        .isEqualTo(local.parameters().getFirst().values());
  }

  @Test
  void eachGroupHasItsSettingsAndChangesTravelWithTheNextStep() {
    List<RRef<Tensor>> parameters = parameters();
    DistributedOptimizer optimizer =
        DistributedOptimizer.create(
            rpc,
            List.of(
                new ParameterGroup<>(new Sgd(0.1).withMomentum(0.9), parameters.subList(0, 3)),
                new ParameterGroup<>(new Adam(0.01), parameters.subList(3, 4))));
    Optimizer local =
        new Optimizer(
            List.of(
                new ParameterGroup<>(
                    new Sgd(0.1).withMomentum(0.9), localParameters().subList(0, 3)),
                new ParameterGroup<>(new Adam(0.01), localParameters().subList(3, 4))));
    for (int step = 0; step < STEPS; step++) {
      optimizer.groups().getLast().setLearningRate(0.01 * (step + 1));
      local.groups().getLast().setLearningRate(0.01 * (step + 1));
      try (var context = DistAutograd.context(rpc)) {
        context.backward(loss(step));
        optimizer.step(context);
      }
      localBackward(local, step);
      local.step();
    }
    requireEqual();
  }

  @Test
  void clipsByTheNormOfAllWorkersGradients() {
    Clipping clipping = Clipping.byNorm(0.1);
    DistributedOptimizer optimizer =
        DistributedOptimizer.create(rpc, new Sgd(0.1), parameters().reversed());
    Optimizer local = new Sgd(0.1).over(localParameters().reversed());
    for (int step = 0; step < STEPS; step++) {
      localBackward(local, step);
      double expected = local.step(clipping);
      try (var context = DistAutograd.context(rpc)) {
        context.backward(loss(step));
        assertThat(optimizer.step(context, clipping)).isEqualTo(expected).isGreaterThan(0.1);
      }
    }
    requireEqual();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("specs")
  void leavesAFrozenParameterAlone(String name, OptimizerSpec spec) {
    first.rpcSync(Half::freezeWeight);
    localFirst.freezeWeight();
    Tensor frozen = localFirst.parameters().getFirst().detach();
    Clipping clipping = Clipping.byNorm(0.1);
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, spec, parameters());
    Optimizer local = spec.over(localParameters());
    for (int step = 0; step < STEPS; step++) {
      localBackward(local, step);
      try (var context = DistAutograd.context(rpc)) {
        context.backward(loss(step));
        if (step % 2 == 0) {
          local.step();
          optimizer.step(context);
        } else {
          assertThat(optimizer.step(context, clipping)).isEqualTo(local.step(clipping));
        }
      }
    }
    requireEqual();
    assertThat(localFirst.parameters().getFirst().values()).isEqualTo(frozen.values());
  }

  @Test
  void finiteGradientsWhoseNormOverflowsAreScaledToNothing() {
    Clipping clipping = Clipping.byNorm(1).withNormType(200);
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), parameters());
    try (var context = DistAutograd.context(rpc)) {
      context.backward(loss(1).scale(1e20));
      assertThat(optimizer.step(context, clipping)).isInfinite();
    }
    requireEqual();
  }

  @Test
  void stepsOfSeveralTrainersAllCountEachByItsOwnGradients() throws Exception {
    RemoteLayer<Counter> counter = new RemoteLayer<>(rpc.remote("worker2", Counter::new));
    int steps = 50;
    try (ExecutorService trainers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> loops =
          IntStream.of(1, 10, 100)
              .mapToObj(gradient -> count(counter, Tensor.of(-gradient), steps))
              .toList();
      for (Future<Integer> loop : trainers.invokeAll(loops)) {
        loop.get();
      }
    }
    float counted = counter.remoteParameters().getFirst().toHere().item();
    assertThat(counted).isEqualTo(111f * steps);
  }

  private Callable<Integer> count(RemoteLayer<Counter> counter, Tensor input, int steps) {
    return () -> {
      DistributedOptimizer optimizer =
          DistributedOptimizer.create(rpc, new Sgd(1), counter.remoteParameters());
      for (int step = 0; step < steps; step++) {
        try (var context = DistAutograd.context(rpc)) {
          context.backward(counter.rpcSync(Counter::forward, input).sum());
          optimizer.step(context);
        }
      }
      return steps;
    };
  }

  @Test
  void aGradientThatIsNotFiniteIsAnErrorBeforeAnythingIsUpdated() {
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), parameters());
    try (var context = DistAutograd.context(rpc)) {
      context.backward(loss(1).scale(Double.NaN));
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .isThrownBy(() -> optimizer.step(context))
          .withMessageStartingWith(
              "step: the gradient of linear.weight float32 [5, 5] is NaN at index 0 on worker1;"
                  + " nothing was changed.");
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .isThrownBy(() -> optimizer.step(context, Clipping.byNorm(1)));
      optimizer.setErrorIfNonFinite(false);
      optimizer.step(context);
      assertThat(optimizer.step(context, Clipping.byNorm(1))).isNaN();
      assertThat(optimizer.skippedSteps()).isEqualTo(2);
    }
    requireEqual();
  }

  @Test
  void aGradientThatIsNotFiniteOnTheLastOwnerChangesNothingOnTheFirst() {
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), parameters());
    try (var context = DistAutograd.context(rpc)) {
      context.backward(loss(1));
      Tensor second = parameters().getLast().toHere();
      Tensor poison = Tensor.full(second.shape(), second.dtype(), Double.NaN);
      RRef<Tensor> last = parameters().getLast();
      context.backward(last.rpcSync(Tensor::mul, poison).sum());
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .isThrownBy(() -> optimizer.step(context))
          .withMessageContaining(" on worker2; nothing was changed.");
    }
    requireEqual();
  }

  @Test
  void aSingleOwnerRefusesAGradientThatIsNotFiniteInOneRoundTrip() {
    RemoteLayer<Counter> counter = new RemoteLayer<>(rpc.remote("worker2", Counter::new));
    DistributedOptimizer optimizer =
        DistributedOptimizer.create(rpc, new Sgd(1), counter.remoteParameters());
    try (var context = DistAutograd.context(rpc)) {
      context.backward(counter.rpcSync(Counter::forward, Tensor.of(Float.NaN)).sum());
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .isThrownBy(() -> optimizer.step(context))
          .withMessageContaining(" is NaN at index 0 on worker2; nothing was changed.");
      optimizer.setErrorIfNonFinite(false).step(context);
      assertThat(optimizer.skippedSteps()).isEqualTo(1);
    }
    assertThat(counter.remoteParameters().getFirst().toHere().item()).isEqualTo(0);
  }

  @Test
  void anErrorOfAnOwnersStepNamesTheOwner() {
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), parameters());
    DistContext closed = DistAutograd.context(rpc);
    closed.backward(Tensor.parameterOf(Tensor.of(1)).sum()); // of which the owners do not hear
    closed.close();
    assertThatExceptionOfType(RemoteException.class)
        .isThrownBy(() -> optimizer.step(closed))
        .withMessageMatching(
            "worker[12] failed in OwnerOptimizer.nonFinite: no autograd context .*");
  }

  @Test
  void anErrorWhileAnOwnersOptimizerIsMadeNamesTheOwner() {
    List<RRef<Tensor>> twice = Stream.concat(parameters().stream(), parameters().stream()).toList();
    assertThatExceptionOfType(RemoteException.class)
        .isThrownBy(() -> DistributedOptimizer.create(rpc, new Sgd(0.1), twice))
        .withMessageContaining("OwnerOptimizer")
        .withMessageContaining("is given twice");
  }

  @Test
  void aStepWithoutABackwardPassIsAnError() {
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), parameters());
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = loss(0);
      String message =
          "step: no backward pass has run in autograd context "
              + context.id()
              + "; call context.backward(loss) first (loss.backward() stores gradients in the"
              + " tensors, not in the context)";
      assertThatIllegalStateException()
          .isThrownBy(() -> optimizer.step(context))
          .withMessage(message);
      assertThatIllegalStateException()
          .isThrownBy(() -> optimizer.step(context, Clipping.byNorm(1)))
          .withMessage(message);
      context.backward(loss);
      optimizer.step(context);
    }
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rref(loss(0))); // a loss by reference counts as well
      optimizer.step(context);
    }
  }

  @Test
  void refusesToLearnNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DistributedOptimizer.create(rpc, new Sgd(0.1), List.of()))
        .withMessage("distributed optimizer: no parameters; pass at least one");
  }

  /// Owned by the two workers in turn.
  private List<RRef<Tensor>> parameters() {
    List<RRef<Tensor>> ofFirst = first.remoteParameters();
    List<RRef<Tensor>> ofSecond = second.remoteParameters();
    return List.of(ofFirst.get(0), ofSecond.get(0), ofFirst.get(1), ofSecond.get(1));
  }

  private List<Tensor> localParameters() {
    List<Tensor> ofFirst = localFirst.parameters();
    List<Tensor> ofSecond = localSecond.parameters();
    return List.of(ofFirst.get(0), ofSecond.get(0), ofFirst.get(1), ofSecond.get(1));
  }

  private Tensor loss(int step) {
    Tensor hidden = first.rpcSync(Half::forward, batch(step));
    return second.rpcSync(Half::forward, hidden).sum();
  }

  private void localBackward(Optimizer local, int step) {
    local.zeroGrad();
    localSecond.forward(localFirst.forward(batch(step))).sum().backward();
  }

  private static Tensor batch(int step) {
    return Tensor.randn(new SplittableRandom(step), 4, Half.WIDTH);
  }

  private void requireEqual() {
    List<float[]> remote = new ArrayList<>();
    parameters().forEach(parameter -> remote.add(parameter.toHere().values()));
    assertThat(remote.toArray())
        .isEqualTo(localParameters().stream().map(Tensor::values).toArray());
  }
}
