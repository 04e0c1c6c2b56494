// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.TracedWorkers;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One trace goes from a step through calls and the backward pass to the optimizers of all owners.
class TracedStepTest {
  private final TracedWorkers workers = new TracedWorkers(3);

  @AfterEach
  void close() {
    workers.close();
  }

  private static RemoteLayer<Half> half(Rpc rpc, String worker) {
    return new RemoteLayer<>(rpc.remote(worker, Half::new, 1L));
  }

  @Test
  void itsSpansAreOneTree() {
    Rpc rpc = workers.worker(0);
    RemoteLayer<Half> first = half(rpc, "worker1");
    RemoteLayer<Half> second = half(rpc, "worker2");
    List<RRef<Tensor>> parameters =
        Stream.of(first, second).flatMap(half -> half.remoteParameters().stream()).toList();
    DistributedOptimizer optimizer = DistributedOptimizer.create(rpc, new Sgd(0.1), parameters);
    boolean _ =
        rpc.span(
            "step",
            () -> {
              try (var context = DistAutograd.context(rpc)) {
                Tensor between = first.rpcSync(Half::forward, Tensor.ones(1, Half.WIDTH));
                context.backward(second.rpcSync(Half::forward, between).sum());
                optimizer.step(context);
                return true;
              }
            });
    assertThat(workers.namesWithParents("step"))
        .containsExactlyInAnyOrder(
            "null > step",
            "step > Half.forward",
            "Half.forward > Half.forward",
            "step > Half.forward",
            "Half.forward > Half.forward",
            "step > DistContext.backward",
            "DistContext.backward > DistContext.backward",
            "DistContext.backward > DistContext.backward",
            "step > DistributedOptimizer.step",
            "DistributedOptimizer.step > OwnerOptimizer.nonFinite",
            "OwnerOptimizer.nonFinite > OwnerOptimizer.nonFinite",
            "DistributedOptimizer.step > OwnerOptimizer.nonFinite",
            "OwnerOptimizer.nonFinite > OwnerOptimizer.nonFinite",
            "DistributedOptimizer.step > OwnerOptimizer.step",
            "OwnerOptimizer.step > OwnerOptimizer.step",
            "DistributedOptimizer.step > OwnerOptimizer.step",
            "OwnerOptimizer.step > OwnerOptimizer.step");
  }
}
