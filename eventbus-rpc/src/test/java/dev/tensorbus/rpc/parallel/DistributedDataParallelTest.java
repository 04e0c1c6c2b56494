// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.rpc.MemoryHosts;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.autograd.DistAutograd;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class DistributedDataParallelTest {
  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  private static final List<String> NAMES = List.of("worker0", "worker1");

  private final World world = HOSTS.open(2);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// A body and a head, to which adapters may be added.
  private static final class Net extends Layer {
    private final Linear body = child("body", new Linear(1, 1, new SplittableRandom(1)));
    private final Linear head = child("head", new Linear(1, 1, new SplittableRandom(2)));
    private @Nullable Linear adapter;

    private Tensor forward(Tensor x) {
      Tensor hidden = body.forward(x).tanh();
      return head.forward(adapter == null ? hidden : hidden.add(adapter.forward(hidden)));
    }

    private void adapt(long seed) {
      adapter = child("adapter", new Linear(1, 1, new SplittableRandom(seed)));
    }
  }

  /// One of two copies.
  private record Copy<L extends Layer>(int rank, DistributedDataParallel<L> copy) {
    private L net() {
      return copy.layer();
    }
  }

  /// Runs `body` on both workers at once, for copies that `net` makes.
  private <L extends Layer, R> List<R> onBoth(Function<Integer, L> net, Function<Copy<L>, R> body) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<R>> results =
          IntStream.range(0, 2)
              .mapToObj(
                  rank ->
                      CompletableFuture.supplyAsync(
                          () ->
                              body.apply(
                                  new Copy<>(
                                      rank,
                                      DistributedDataParallel.of(
                                          world.worker(rank), net.apply(rank), NAMES))),
                          threads))
              .toList();
      return results.stream().map(result -> result.orTimeout(1, TimeUnit.MINUTES).join()).toList();
    }
  }

  private static Tensor input(int rank) {
    return Tensor.of(rank + 1).reshape(1, 1);
  }

  private static float grad(Layer layer) {
    return Objects.requireNonNull(layer.parameters().getFirst().grad()).item();
  }

  /// The mean of both copies' gradients of the body.
  private static float expected() {
    Net net = new Net();
    for (int rank = 0; rank < 2; rank++) {
      net.forward(input(rank)).sum().scale(0.5).backward();
    }
    return grad(net.body);
  }

  @Test
  void whatLearnsAgainIsAveragedAgain() {
    for (boolean isInContext : new boolean[] {false, true}) {
      List<Float> gradients =
          onBoth(
              _ -> {
                Net net = new Net();
                net.body.requiresGrad(false);
                return net;
              },
              copy -> {
                copy.net().body.requiresGrad(true);
                copy.net().head.requiresGrad(false);
                Tensor loss = copy.net().forward(input(copy.rank())).sum();
                if (!isInContext) {
                  loss.backward();
                  return grad(copy.net().body);
                }
                try (var context = DistAutograd.context(world.worker(copy.rank()))) {
                  context.backward(loss);
                  return context.gradients().get(copy.net().body.parameters().getFirst()).item();
                }
              });
      assertThat(gradients.get(0)).isEqualTo(gradients.get(1)).isCloseTo(expected(), within(1e-6f));
    }
  }

  @Test
  void stagesThatTakeTurnsAreAveragedEachInItsTurn() {
    List<List<Float>> gradients =
        onBoth(
            _ -> new Net(),
            copy -> {
              List<Float> found = new ArrayList<>();
              for (int turn = 0; turn < 4; turn++) {
                copy.net().zeroGrad();
                copy.net().body.requiresGrad(turn % 2 == 0);
                copy.net().head.requiresGrad(turn % 2 == 1);
                copy.net().forward(input(copy.rank())).sum().backward();
                found.add(grad(turn % 2 == 0 ? copy.net().body : copy.net().head));
                Layer idle = turn % 2 == 0 ? copy.net().head : copy.net().body;
                assertThat(idle.parameters()).extracting(Tensor::grad).containsOnlyNulls();
              }
              return found;
            });
    assertThat(gradients.get(0)).isEqualTo(gradients.get(1));
    assertThat(gradients.get(0).getFirst()).isCloseTo(expected(), within(1e-6f));
  }

  @Test
  void copiesThatFreezeDifferentThingsAreAnErrorOnAll() {
    List<String> errors =
        onBoth(
            _ -> new Net(),
            copy -> {
              copy.net().head.requiresGrad(copy.rank() == 0);
              return error(() -> copy.net().forward(input(copy.rank())).sum().backward());
            });
    assertThat(errors)
        .containsExactly(
            "copies on worker0, worker1: head.weight requires a gradient on 1 of them, and here it"
                + " does; freeze the same parameters on all copies",
            "copies on worker0, worker1: head.weight requires a gradient on 1 of them, and here it"
                + " does not; freeze the same parameters on all copies");
  }

  private static String error(Runnable body) {
    try {
      body.run();
      return "no error";
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void adaptersThatAreAddedLaterLearnOnceTheyAreSynchronized() {
    List<String> errors =
        onBoth(
            _ -> new Net(),
            copy -> {
              copy.net().adapt(copy.rank());
              return error(() -> copy.net().forward(input(copy.rank())).sum().backward());
            });
    assertThat(errors)
        .containsOnly(
            "copies on worker0, worker1: adapter.weight was added after the copies were created;"
                + " call synchronize on all of them first");
    List<List<Float>> values =
        onBoth(
            _ -> new Net(),
            copy -> {
              copy.net().requiresGrad(false);
              copy.net().adapt(10 + copy.rank());
              copy.copy().synchronize();
              copy.net().forward(input(copy.rank())).sum().backward();
              Layer adapter = Objects.requireNonNull(copy.net().adapter);
              return List.of(grad(adapter), adapter.parameters().getFirst().item());
            });
    assertThat(values.get(0)).isEqualTo(values.get(1));
    Net alone = new Net();
    alone.adapt(10);
    for (int rank = 0; rank < 2; rank++) {
      alone.forward(input(rank)).sum().scale(0.5).backward();
    }
    assertThat(values.get(0).getFirst())
        .isCloseTo(grad(Objects.requireNonNull(alone.adapter)), within(1e-6f));
  }

  @Test
  void copiesOfDifferentLayersAreAnErrorOnAll() {
    List<String> errors =
        onBoth(
            _ -> new Net(),
            copy -> {
              if (copy.rank() == 1) {
                copy.net().adapt(1);
              }
              return error(() -> copy.net().forward(input(copy.rank())).sum().backward());
            });
    assertThat(errors)
        .allSatisfy(
            error ->
                assertThat(error)
                    .contains(
                        "allReduce: the tensors of worker0, worker1 do not match: 5 tensors and"));
  }

  @Test
  void gradientsCountByTheirWeights() {
    List<List<Float>> gradients =
        onBoth(
            _ -> new Net(),
            copy -> {
              copy.copy().noSync(() -> copy.net().forward(input(copy.rank())).sum().backward());
              double[] sums =
                  copy.copy().averageGradients(copy.rank() == 0 ? 3 : 1, copy.rank() + 1, 5);
              assertThat(sums).containsExactly(3, 10);
              return List.of(grad(copy.net().body), grad(copy.net().head));
            });
    assertThat(gradients.get(0)).isEqualTo(gradients.get(1));
    Net alone = new Net();
    alone.forward(input(0)).sum().scale(0.75).backward();
    alone.forward(input(1)).sum().scale(0.25).backward();
    assertThat(gradients.get(0).get(0)).isCloseTo(grad(alone.body), within(1e-6f));
    assertThat(gradients.get(0).get(1)).isCloseTo(grad(alone.head), within(1e-6f));
  }

  @Test
  void aGradientOfNoWeightIsLeftOut() {
    List<Float> gradients =
        onBoth(
            _ -> new Net(),
            copy -> {
              double factor = copy.rank() == 0 ? Double.NaN : 1;
              copy.copy()
                  .noSync(
                      () -> copy.net().forward(input(copy.rank())).sum().scale(factor).backward());
              copy.copy().averageGradients(copy.rank() == 0 ? 0 : 7);
              assertThatThrownBy(() -> copy.copy().averageGradients(-1))
                  .hasMessage("averageGradients: weight -1.0 must be 0 or more, and finite");
              return grad(copy.net().body);
            });
    Net alone = new Net();
    alone.forward(input(1)).sum().backward();
    assertThat(gradients.get(0))
        .isEqualTo(gradients.get(1))
        .isCloseTo(grad(alone.body), within(1e-6f));
  }

  @Test
  void aTiedParameterIsAveragedOnce() {
    List<List<float[]>> gradients =
        onBoth(
            rank -> tied(rank),
            copy -> {
              copy.net().forward(Tensor.of(copy.rank(), 1).reshape(1, 2)).sum().backward();
              return copy.net().gradients().stream().map(Tensor::values).toList();
            });
    Sequential alone = tied(0);
    for (int rank = 0; rank < 2; rank++) {
      alone.forward(Tensor.of(rank, 1).reshape(1, 2)).sum().scale(0.5).backward();
    }
    for (int i = 0; i < 2; i++) {
      assertThat(gradients.get(0).get(i)).containsExactly(gradients.get(1).get(i));
      assertThat(gradients.get(0).get(i))
          .containsExactly(alone.gradients().get(i).values(), within(1e-6f));
    }
  }

  private static Sequential tied(long seed) {
    Linear linear = new Linear(2, 2, new SplittableRandom(seed));
    Forward between = Tensor::tanh;
    return new Sequential(linear, between, linear);
  }
}
