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
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DistAutogradTest {
  private Vertx vertx;
  private World world;
  private Rpc rpc;
  private Tensor a;
  private Tensor b;

  @BeforeEach
  void openWorld() {
    vertx = Vertx.vertx();
    world = new World(Collections.nCopies(3, vertx));
    rpc = world.worker(0);
    a = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});
    b = Tensor.parameter(Shape.of(3), new float[] {4, 5, 6});
  }

  @AfterEach
  void closeWorld() {
    world.close();
    vertx.close().await();
  }

  @Test
  void gradientsComeBackThroughACall() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      context.backward(product.sum());
      assertThat(context.gradients()).containsOnlyKeys(a, b);
      assertThat(context.gradients().get(a).values()).containsExactly(4, 5, 6);
      assertThat(context.gradients().get(b).values()).containsExactly(1, 2, 3);
      assertThat(a.grad()).isNull();
    }
  }

  @Test
  void gradientsStayWithTheOwnerOfAParameter() {
    RRef<Tensor> weight = rpc.remote("worker1", Graphs::weight);
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Graphs::timesWeight, weight, a);
      context.backward(product.sum());
      assertThat(context.gradients().get(a).values()).containsExactly(7, 7, 7);
      assertThat(rpc.rpcSync("worker1", Graphs::gradient, weight, context.id()).values())
          .containsExactly(1, 2, 3);
    }
  }

  @Test
  void gradientsComeBackThroughACallInACall() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Graphs::mulAt, a, b, "worker2");
      context.backward(product.sum());
      assertThat(context.gradients().get(a).values()).containsExactly(8, 10, 12);
    }
  }

  @Test
  void gradientsComeBackThroughAFetchedReference() {
    RRef<Tensor> product = rpc.remote("worker1", Tensor::mul, a, b);
    try (var context = DistAutograd.context(rpc)) {
      RRef<Tensor> inContext = rpc.remote("worker1", Tensor::mul, a, b);
      context.backward(inContext.toHere().add(inContext.toHere()).sum());
      assertThat(context.gradients().get(a).values()).containsExactly(8, 10, 12);
    }
    assertThat(product.toHere().requiresGrad()).isFalse();
  }

  @Test
  void aCallToSelfIsDifferentiatedToo() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker0", Tensor::mul, a, b).sum());
      assertThat(context.gradients().get(a).values()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void backwardEndsWhenAResultIsNotUsed() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor used = rpc.rpcSync("worker1", Tensor::mul, a, b);
      Tensor unused = rpc.rpcSync("worker1", Tensor::add, used, b);
      assertThat(unused.requiresGrad()).isTrue();
      context.backward(used.sum());
      assertThat(context.gradients().get(a).values()).containsExactly(4, 5, 6);
      assertThat(context.gradients().get(b).values()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void backwardEndsWhenACalleeOnlyKeepsWhatItGot() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      rpc.rpcSync("worker2", Graphs::keep, product);
      context.backward(product.sum());
      assertThat(context.gradients().get(a).values()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void backwardEndsWhenAnAnswerGoesBackAsAnUnusedArgument() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      rpc.rpcSync("worker1", Graphs::keep, product);
      context.backward(product.sum());
      assertThat(context.gradients().get(a).values()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void backwardTakesInAnAnswerThatIsStillOnItsWay() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      rpc.rpcAsync("worker2", Graphs::slowly, product);
      context.backward(product.sum());
      assertThat(context.gradients().get(a).values()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void gradientsAreNotLostWhenCallsAreStillOnTheirWay() {
    for (int round = 0; round < 50; round++) {
      try (var context = DistAutograd.context(rpc)) {
        Tensor large = Tensor.parameter(Shape.of(100_000), new float[100_000]);
        rpc.rpcAsync("worker1", Graphs::keepBoth, large, a);
        context.backward(a.sum());
        assertThat(context.gradients().get(a).values()).containsExactly(1, 1, 1);
      }
    }
  }

  @Test
  void aCallThatIsNotAnsweredBreaksItsContextWithAnError() {
    try (var context = DistAutograd.context(rpc)) {
      Calls hasty = rpc.with(CallOptions.timeout(Duration.ofNanos(1)));
      assertThatThrownBy(() -> hasty.rpcSync("worker1", Graphs::slowly, a))
          .isInstanceOf(RpcTimeoutException.class);
      assertThatThrownBy(() -> context.backward(a.sum()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("since a call in it was not answered (worker1 did not answer");
    }
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
          .hasMessageContaining("carry it over with detach()");
    }
  }

  @Test
  void aSecondPassAddsItsGradients() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Tensor::mul, a, b).sum();
      context.backward(loss);
      context.backward(loss);
      assertThat(context.gradients().get(a).values()).containsExactly(8, 10, 12);
    }
  }

  @Test
  void closingReleasesTheContextOnEveryWorker() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Graphs::mulAt, a, b, "worker2").sum());
      assertThat(world.worker(2).debugInfo()).containsEntry("autograd.contexts", 1L);
    }
    for (int rank = 0; rank < 3; rank++) {
      Rpc worker = world.worker(rank);
      World.eventually(() -> worker.debugInfo().get("autograd.contexts") == 0);
    }
  }

  @Test
  void aFailingCallLeavesTheContextUsable() {
    try (var context = DistAutograd.context(rpc)) {
      assertThatThrownBy(() -> rpc.rpcSync("worker1", Tensor::mul, a, Tensor.of(1, 2)))
          .isInstanceOf(RemoteException.class);
      context.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      assertThat(context.gradients().get(a).values()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void aSecondContextOnAThreadIsRefused() {
    try (var context = DistAutograd.context(rpc)) {
      assertThatThrownBy(() -> DistAutograd.context(rpc))
          .hasMessage(
              "this thread already records in autograd context "
                  + context.id()
                  + "; close that first, or open several and choose with DistContext.call");
    }
  }

  @Test
  void aWorkerThatLeavesEndsThePassWithAnErrorThatNamesIt() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Graphs::mulAt, a, b, "worker2").sum();
      world.worker(2).leave().await();
      assertThatThrownBy(() -> context.backward(loss)).hasMessageContaining("worker2");
    }
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Tensor::mul, a, b).sum();
      world.worker(1).leave().await();
      assertThatThrownBy(() -> context.backward(loss))
          .isInstanceOf(NoSuchWorkerException.class)
          .hasMessageContaining("worker1");
    }
  }

  @Test
  void contextsOfManyThreadsDoNotMix() {
    List<Future<float[]>> gradients = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      Tensor factor = Tensor.parameter(Shape.of(3), new float[] {i, i, i});
      gradients.add(
          world.onVirtualThread(
              () -> {
                try (var context = DistAutograd.context(rpc)) {
                  Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, factor);
                  context.backward(rpc.rpcSync("worker2", Tensor::mul, product, factor).sum());
                  return context.gradients().get(a).values();
                }
              }));
    }
    for (int i = 1; i <= 20; i++) {
      assertThat(gradients.get(i - 1).await()).containsExactly(i * i, i * i, i * i);
    }
  }
}
