// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.nn.Sequential;
import dev.tensorbus.optim.Adam;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.optim.training.AveragedModel;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One layer in two places: optimizers and checkpoints have its parameters once.
final class TiedCheckpointTest {
  private static final Tensor X = Tensor.randn(new SplittableRandom(9), 4, 2);

  @TempDir private Path folder;

  private static Linear linear(long seed) {
    return new Linear(2, 2, new SplittableRandom(seed));
  }

  private static Sequential tied(long seed) {
    Linear linear = linear(seed);
    return new Sequential(linear, Tensor::tanh, linear);
  }

  private static void step(Sequential net, Optimizer optimizer) {
    optimizer.zeroGrad();
    net.forward(X).sum().backward();
    optimizer.step();
  }

  private static Checkpoint checkpoint(Sequential net, Optimizer optimizer) {
    return new Checkpoint().withModel("net", net).withOptimizer("adam", optimizer);
  }

  @Test
  void aTiedNetworkIsSavedAndGoesOn() {
    Sequential net = tied(1);
    Optimizer optimizer = new Adam(0.1).over(net.parameters());
    step(net, optimizer);
    checkpoint(net, optimizer).save(folder);
    Sequential restored = tied(2);
    Optimizer another = new Adam(0.1).over(restored.parameters());
    checkpoint(restored, another).restore(folder);
    step(net, optimizer);
    step(restored, another);
    assertThat(restored.parameters()).hasSize(2);
    for (int i = 0; i < 2; i++) {
      assertThat(restored.parameters().get(i).values())
          .containsExactly(net.parameters().get(i).values());
    }
  }

  @Test
  void aCheckpointWithDifferentValuesForOneParameterIsRefusedAsAWhole() {
    Linear other = linear(3);
    Sequential untied = new Sequential(linear(1), Tensor::tanh, linear(2));
    new Checkpoint().withModel("other", other).withModel("net", untied).save(folder);
    Linear present = linear(4);
    float[] before = present.parameters().getFirst().values();
    Checkpoint checkpoint = new Checkpoint().withModel("other", present).withModel("net", tied(5));
    assertThatThrownBy(() -> checkpoint.restore(folder))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(
            "0.weight and 2.weight are the same parameter, but their values differ");
    assertThat(present.parameters().getFirst().values()).isSameAs(before);
  }

  @Test
  void aServersTiedParametersAreSteppedOnce() {
    try (MemoryWorld workers = new MemoryWorld(2)) {
      Rpc rpc = workers.worker(0);
      Sequential there = tied(1);
      var remote = new RemoteLayer<>(rpc.rref(there));
      assertThat(remote.remoteParameters()).hasSize(2);
      var optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), remote.remoteParameters());
      try (var context = DistAutograd.context(rpc)) {
        context.backward(remote.rpcSync(Sequential::forward, X).sum());
        optimizer.step(context);
      }
      Sequential here = tied(1);
      step(here, new Sgd(0.1).over(here.parameters()));
      for (int i = 0; i < 2; i++) {
        assertThat(there.parameters().get(i).values())
            .containsExactly(here.parameters().get(i).values(), within(1e-6f));
      }
    }
  }

  @Test
  void theAverageOfATiedModelNeedNotBeTied() {
    Sequential net = tied(1);
    Sequential untied = new Sequential(linear(2), Tensor::tanh, linear(3));
    for (Sequential average : List.of(tied(4), untied)) {
      AveragedModel<Sequential> averaged = new AveragedModel<>(net, average, 0.5);
      float before = net.parameters().getFirst().values()[0];
      net.parameters().getFirst().update(old -> new float[] {old[0] + 2, old[1], old[2], old[3]});
      averaged.update();
      average
          .state()
          .tensors()
          .forEach(
              (name, mean) -> {
                if (name.endsWith("weight")) {
                  assertThat(mean.values()[0]).isCloseTo(before + 1, within(1e-6f));
                }
              });
    }
  }
}
