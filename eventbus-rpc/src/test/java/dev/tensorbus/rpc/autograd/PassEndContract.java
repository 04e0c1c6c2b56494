// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Calls;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A backward pass always ends: with gradients, or with an error that says why.
abstract class PassEndContract extends AutogradContract {
  private static final List<String> AWAY = List.of("worker2", "worker3");

  @Test
  void aPassEndsWhenAResultIsNotUsed() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor used = rpc.rpcSync("worker1", Tensor::mul, a, b);
      Tensor unused = rpc.rpcSync("worker1", Tensor::add, used, b);
      assertThat(unused.requiresGrad()).isTrue();
      context.backward(used.sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
      requireValues(context.gradients().get(b), 1, 2, 3);
    }
  }

  @Test
  void aPassEndsWhenACalleeOnlyKeepsWhatItGot() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      rpc.rpcSync("worker2", Graphs::keep, product);
      context.backward(product.sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
    }
  }

  @Test
  void aPassEndsWhenAnAnswerGoesBackAsAnUnusedArgument() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      rpc.rpcSync("worker1", Graphs::keep, product);
      context.backward(product.sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
    }
  }

  @Test
  void aPassTakesInAnAnswerThatIsStillOnItsWay() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      rpc.rpcAsync("worker2", Graphs::slowly, product);
      context.backward(product.sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
    }
  }

  @Test
  void gradientsAreNotLostWhenCallsAreStillOnTheirWay() {
    for (int round = 0; round < 50; round++) {
      try (var context = DistAutograd.context(rpc)) {
        Tensor large = Tensor.parameter(Shape.of(100_000), new float[100_000]);
        rpc.rpcAsync("worker1", Graphs::keepBoth, large, a);
        context.backward(a.sum());
        requireValues(context.gradients().get(a), 1, 1, 1);
      }
    }
  }

  @Test
  void anInputGradientDoesNotWaitForThoseOfLeaves() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor large = largeThatLetsGo();
      context.backward(rpc.rpcSync("worker1", Graphs::timesMatrix, large).sum());
      assertThat(context.gradients()).containsKey(large);
    }
    awaitNothingHeld();
  }

  @Test
  void anErrorInASplitBackwardFailsThePass() {
    rpc.rpcSync("worker1", Graphs::setFailing, true);
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Graphs::timesMatrix, largeThatLetsGo());
      assertThatThrownBy(() -> context.backward(product.sum()))
          .hasMessageContaining("worker1 failed in")
          .hasMessageContaining("no matrix's gradient on purpose");
    }
    awaitNothingHeld();
  }

  /// When its gradient comes, the matrix's may be computed.
  private Tensor largeThatLetsGo() {
    Tensor large = Tensor.parameter(Shape.of(64, 256), new float[64 * 256]);
    large.registerHook(
        gradient -> {
          rpc.rpcSync("worker1", Graphs::letGo);
          return gradient;
        });
    return large;
  }

  @Test
  void anErrorFarAwayIsRaisedAtTheOriginAndNamesItsWorker() {
    rpc.rpcSync("worker3", Graphs::setFailing, true);
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::failingThrough, AWAY, a);
      assertThatThrownBy(() -> context.backward(y.sum()))
          .hasMessageContaining("worker3 failed in")
          .hasMessageContaining("no gradient on purpose");
    }
    awaitNothingHeld();
  }

  @Test
  void aPassThatFailsEndsOnEveryWorker() {
    rpc.rpcSync("worker3", Graphs::setFailing, true);
    try (var context = DistAutograd.context(rpc)) {
      Tensor kept = rpc.rpcSync("worker2", Graphs::timesOwn, a);
      Tensor y = rpc.rpcSync("worker1", Graphs::failingThrough, AWAY, kept);
      assertThatThrownBy(() -> context.backward(y.sum())).hasMessageContaining("on purpose");
      for (int worker = 0; worker < WORKERS; worker++) {
        int rank = worker;
        World.eventually(() -> held(rank, "passes") == 0);
        World.eventually(() -> held(rank, "contexts") == 1);
      }
    }
    awaitNothingHeld();
  }

  @Test
  void passesSucceedInAContextInWhichOthersHaveFailed() {
    rpc.rpcSync("worker3", Graphs::setFailing, true);
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::failingThrough, AWAY, a);
      Tensor loss = y.sum();
      for (int pass = 0; pass < 50; pass++) {
        assertThatThrownBy(() -> context.backward(loss)).hasMessageContaining("on purpose");
      }
      rpc.rpcSync("worker3", Graphs::setFailing, false);
      for (int pass = 0; pass < 49; pass++) {
        context.backward(loss);
      }
      requireValues(context.gradients().get(a), 49, 49, 49);
    }
    awaitNothingHeld();
  }

  @Test
  void aCallThatIsNotAnsweredBreaksItsContextWithAnError() {
    try (var context = DistAutograd.context(rpc)) {
      Calls hasty = rpc.with(CallOptions.timeout(Duration.ofNanos(1)));
      assertThatThrownBy(() -> hasty.rpcSync("worker1", Graphs::never, a))
          .isInstanceOf(RpcTimeoutException.class);
      assertThatThrownBy(() -> context.backward(a.sum()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("because a call in it was not answered (worker1 did not answer");
    }
    awaitNothingHeld();
  }

  @Test
  void aTensorOfAnotherContextIsAnError() {
    Tensor product;
    try (var earlier = DistAutograd.context(rpc)) {
      product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      earlier.backward(product.sum());
    }
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Tensor::mul, a, product).sum();
      assertThatThrownBy(() -> context.backward(loss))
          .hasMessageContaining("use its detach() there");
    }
  }

  @Test
  void aHookMayWaitForAnotherWorkerThatHasTheContextClosed() {
    DistContext context = DistAutograd.open(rpc);
    RRef<Runnable> close = rpc.rref(context::close);
    Tensor y = context.call(() -> rpc.rpcSync("worker1", Tensor::mul, a, b));
    y.registerHook(
        gradient -> {
          World.await(rpc.rpcAsync("worker1", Graphs::runAtOwner, close));
          return gradient;
        });
    assertThatThrownBy(() -> context.backward(y.sum()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("autograd context " + context.id() + " was closed");
    close.close();
    awaitNothingHeld();
  }

  @Test
  void aHookMayWaitForACallOfTheContextThatIsUnderWay() {
    waitInAHookForACallThrough("worker3");
  }

  @Test
  void aHookMayWaitForACallThatReturnsToItsWorker() {
    waitInAHookForACallThrough("worker0");
  }

  /// While the hook waits, tensors of the context come to the first worker.
  private void waitInAHookForACallThrough(String worker) {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      Future<Tensor> late = rpc.rpcAsync("worker2", Graphs::whenLetGo, product, worker);
      product.registerHook(
          gradient -> {
            rpc.rpcSync("worker2", Graphs::letGo);
            World.await(late);
            return gradient;
          });
      context.backward(product.sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
    }
    awaitNothingHeld();
  }

  @Test
  void anUnknownContextIsNamed() {
    assertThatThrownBy(() -> rpc.rpcSync("worker1", Graphs::gradientsOf, 100L))
        .hasMessageContaining("no autograd context 100 on worker1; it was closed, or no call");
  }

  @Test
  void aWorkerThatHasLeftEndsThePassOfItsCaller() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Tensor::mul, a, b).sum();
      world.worker(1).leave().await();
      World.eventually(() -> rpc.workers().size() == WORKERS - 1);
      assertThatThrownBy(() -> context.backward(loss))
          .isInstanceOf(NoSuchWorkerException.class)
          .hasMessageContaining("is invalid, because worker1 left");
    }
  }

  @Test
  void aWorkerThatTheOriginNeverCalledEndsThePassByLeaving() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Graphs::through, AWAY, a).sum();
      world.worker(2).leave().await();
      assertThatThrownBy(() -> context.backward(loss)).hasMessageContaining("worker2 left");
    }
    World.eventually(() -> held(3, "contexts") == 0);
    World.eventually(() -> held(1, "contexts") == 0);
  }
}
