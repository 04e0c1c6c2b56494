// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Where a context is known, what is recorded in it, and its end.
abstract class ContextContract extends AutogradContract {
  @Test
  void anIdNamesItsWorkerAndComesOnce() {
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      try (var context = DistAutograd.context(rpc)) {
        assertThat(context.id() >>> 48).isZero();
        ids.add(context.id());
      }
    }
    assertThat(ids).hasSize(200);
    assertThat(rpc.rpcSync("worker3", Graphs::openAndClose) >>> 48).isEqualTo(3);
  }

  @Test
  void aContextIsKnownUntilItIsClosed() {
    long id;
    try (var context = DistAutograd.context(rpc)) {
      id = context.id();
      rpc.rpcSync("worker1", Tensor::mul, a, b);
      assertThat(rpc.rpcSync("worker1", Graphs::gradientsOf, id)).isZero();
    }
    awaitNothingHeld();
    assertThatThrownBy(() -> rpc.rpcSync("worker1", Graphs::gradientsOf, id))
        .hasMessageContaining("no autograd context " + id + " on worker1; it was closed");
  }

  @Test
  void aSecondContextOnAThreadIsRefused() {
    try (var context = DistAutograd.context(rpc)) {
      assertThatThrownBy(() -> DistAutograd.context(rpc))
          .hasMessage(
              "this thread already records in autograd context "
                  + context.id()
                  + "; close it first, or choose among several open contexts with"
                  + " DistContext.call");
    }
  }

  @Test
  void aThreadMayHaveSeveralContextsSideBySide() {
    try (var left = DistAutograd.open(rpc);
        var right = DistAutograd.open(rpc)) {
      Tensor product = left.call(() -> rpc.rpcSync("worker1", Tensor::mul, a, b));
      Tensor sum = right.call(() -> rpc.rpcSync("worker1", Tensor::add, a, b));
      right.backward(sum.sum());
      left.backward(product.sum());
      requireValues(left.gradients().get(a), 4, 5, 6);
      requireValues(right.gradients().get(a), 1, 1, 1);
    }
    awaitNothingHeld();
  }

  @Test
  void severalThreadsMayRecordInOneContext() {
    try (var context = DistAutograd.open(rpc)) {
      List<Future<Tensor>> products = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        products.add(
            world.onVirtualThread(
                () -> context.call(() -> rpc.rpcSync("worker1", Tensor::mul, a, b))));
      }
      Tensor loss =
          products.stream().map(one -> one.await()).reduce(Tensor::add).orElseThrow().sum();
      context.backward(loss);
      requireValues(context.gradients().get(a), 40, 50, 60);
    }
  }

  @Test
  void aContextThatAnotherThreadClosesIsNoLongerThatOfItsOpener() {
    DistContext context = DistAutograd.context(rpc);
    World.await(
        world.onVirtualThread(
            () -> {
              context.close();
              return true;
            }));
    try (var next = DistAutograd.context(rpc)) {
      next.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      requireValues(next.gradients().get(a), 4, 5, 6);
    }
    awaitNothingHeld();
  }

  @Test
  void gradientsAreKnownByTheirContextsIdOutsideOfRemoteCallsToo() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      requireValues(DistAutograd.gradients(context.id()).get(a), 4, 5, 6);
      requireValues(DistAutograd.gradients(rpc, context.id()).get(b), 1, 2, 3);
      assertThatThrownBy(
              () -> CompletableFuture.runAsync(() -> DistAutograd.gradients(context.id())).join())
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage(
              "gradients: this thread records in no autograd context and runs no remote call; name"
                  + " the worker with DistAutograd.gradients(rpc, id)");
    }
  }

  @Test
  void aLossThatWasNotRecordedNamesWhatRecords() {
    Tensor loss = rpc.rpcSync("worker1", Tensor::mul, a, b).sum();
    try (var context = DistAutograd.open(rpc)) {
      assertThatThrownBy(() -> context.backward(loss))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "backward: nothing that this tensor was computed from requires a gradient; calls are"
                  + " recorded only on a thread that called DistAutograd.context(rpc), in"
                  + " DistContext.call, and in a task wrapped by Rpc.wrap there");
    }
    assertThatThrownBy(loss::backward)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "backward: neither this tensor nor any that it was computed from requires a gradient;"
                + " results of remote calls require one only in a DistAutograd.context, and"
                + " gradients only after a pass with createGraph");
  }

  @Test
  void aPlainPassThatLeavesTheWorkerIsAnError() {
    try (var _ = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Tensor::mul, a, b).sum();
      assertThatThrownBy(loss::backward)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "backward: a tensor was received from worker1 in an autograd context, which a plain"
                  + " backward pass does not reach; pass the loss to DistContext.backward");
    }
  }

  @Test
  void aClosedContextRecordsNothing() {
    DistContext context = DistAutograd.open(rpc);
    context.close();
    assertThatThrownBy(() -> context.call(() -> 1)).hasMessageContaining("no autograd context");
    assertThatThrownBy(() -> context.backward(a.sum())).hasMessageContaining("it was closed");
  }

  @Test
  void closingReleasesEveryWorkerThatACallReached() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Graphs::through, List.of("worker2"), a).sum());
      assertThat(held(2, "contexts")).isOne();
    }
    awaitNothingHeld();
    try (var _ = DistAutograd.context(rpc)) {
      rpc.rpcSync("worker1", Graphs::through, List.of("worker2", "worker3"), a);
    }
    awaitNothingHeld();
  }

  @Test
  void closingReleasesWorkersWhoseOwnParametersWereUsed() {
    try (var _ = DistAutograd.context(rpc)) {
      Tensor plain = a.detach();
      Tensor y = rpc.rpcSync("worker1", Graphs::timesOwnThrough, plain, "worker2");
      assertThat(y.requiresGrad()).isTrue();
      assertThat(held(2, "contexts")).isOne();
    }
    awaitNothingHeld();
  }

  @Test
  void closingReleasesACallThatFailed() {
    try (var _ = DistAutograd.context(rpc)) {
      assertThatThrownBy(() -> rpc.rpcSync("worker1", Graphs::recordAndFail, "worker2"))
          .hasMessageContaining("on purpose");
      assertThat(held(2, "contexts")).isOne();
    }
    awaitNothingHeld();
  }

  @Test
  void closingReleasesWhatARemoteCallLeft() {
    try (var _ = DistAutograd.context(rpc)) {
      rpc.remote("worker1", Graphs::timesOwnThrough, a.detach(), "worker2").created().await();
      assertThat(held(1, "contexts")).isOne();
    }
    awaitNothingHeld();
  }

  @Test
  void aContextWithoutGradientsCostsNothing() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor plain = a.detach();
      assertThat(rpc.rpcSync("worker1", Graphs::through, List.of("worker2"), plain).requiresGrad())
          .isFalse();
      rpc.rpcSync("worker1", Graphs::nothing);
      assertThat(held(0, "sends") + held(0, "receives")).isZero();
      assertThat(held(1, "contexts") + held(2, "contexts")).isZero();
      assertThat(rpc.rpcSync("worker1", Graphs::currentContext, List.of("worker2")))
          .isEqualTo(context.id());
    }
    assertThat(rpc.rpcSync("worker1", Graphs::currentContext, List.of("worker2"))).isZero();
  }

  @Test
  void withinNoGradNothingIsRecorded() {
    try (var _ = DistAutograd.context(rpc)) {
      Tensor product = NoGrad.call(() -> rpc.rpcSync("worker1", Tensor::mul, a, b));
      Tensor own = NoGrad.call(() -> rpc.rpcSync("worker1", Graphs::timesOwn, a));
      assertThat(product.requiresGrad() || own.requiresGrad()).isFalse();
      assertThat(held(0, "sends") + held(1, "contexts")).isZero();
    }
  }

  @Test
  void eachMessageWithGradientsLeavesOnePairOfFunctions() {
    try (var _ = DistAutograd.context(rpc)) {
      rpc.rpcSync("worker1", Tensor::add, a, b);
      requirePairs(0, 1, 1);
      requirePairs(1, 1, 1);
      rpc.remote("worker2", Tensor::add, a, b).toHere();
      requirePairs(0, 2, 2);
      requirePairs(2, 1, 1);
    }
  }

  @Test
  void aChainOfCallsLeavesTwoPairsOnEachWorkerBetween() {
    try (var _ = DistAutograd.context(rpc)) {
      rpc.rpcSync("worker1", Graphs::through, List.of("worker2", "worker3"), a);
      requirePairs(0, 1, 1);
      requirePairs(1, 2, 2);
      requirePairs(2, 2, 2);
      requirePairs(3, 1, 1);
    }
  }

  private void requirePairs(int worker, long sends, long receives) {
    assertThat(held(worker, "sends")).as("sends of worker%d", worker).isEqualTo(sends);
    assertThat(held(worker, "receives")).as("receives of worker%d", worker).isEqualTo(receives);
  }

  @Test
  void aPassIsCountedWhileItRuns() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Graphs::heldUp, a).sum();
      Future<Boolean> pass =
          world.onVirtualThread(
              () -> {
                context.backward(loss);
                return true;
              });
      rpc.rpcSync("worker1", Graphs::awaitHeldUp);
      assertThat(held(0, "passes")).isOne();
      rpc.rpcSync("worker1", Graphs::letGo);
      pass.await();
      assertThat(held(0, "passes") + held(1, "passes")).isZero();
      assertThat(held(0, "contexts")).isOne();
    }
    awaitNothingHeld();
  }

  @Test
  void callbacksBelongToTheContextOfTheirCall() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::composedThrough, a, "worker2");
      context.backward(y.sum());
      requireValues(context.gradients().get(a), 2, 2, 2);
    }
    awaitNothingHeld();
  }

  @Test
  void aCallMadeAfterItsContextIsClosedLeavesNothing() {
    Future<Tensor> late;
    try (var _ = DistAutograd.context(rpc)) {
      late = rpc.rpcAsync("worker1", Graphs::whenLetGo, a, "worker2");
      rpc.rpcSync("worker1", Graphs::awaitHeldUp);
    }
    awaitNothingHeld();
    rpc.rpcSync("worker1", Graphs::letGo);
    assertThat(late.await().requiresGrad()).isFalse();
    awaitNothingHeld();
  }

  @Test
  void aFailingCallLeavesTheContextUsable() {
    try (var context = DistAutograd.context(rpc)) {
      assertThatThrownBy(() -> rpc.rpcSync("worker1", Tensor::mul, a, Tensor.of(1, 2)))
          .isInstanceOf(RemoteException.class);
      context.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
    }
  }

  @Test
  void contextsOfManyThreadsOfManyWorkersDoNotMix() {
    List<Future<Boolean>> trainers = new ArrayList<>();
    for (int worker = 1; worker < WORKERS; worker++) {
      for (int thread = 0; thread < 20; thread++) {
        trainers.add(rpc.rpcAsync("worker" + worker, Graphs::fourHopsAndBack, "worker0"));
      }
    }
    trainers.forEach(trainer -> assertThat(trainer.await()).isTrue());
    awaitNothingHeld();
  }
}
