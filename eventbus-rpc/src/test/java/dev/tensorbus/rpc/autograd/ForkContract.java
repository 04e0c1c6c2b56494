// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.graph.Recording;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Calls that other threads make than the one that opened the context.
abstract class ForkContract extends AutogradContract {
  @Test
  void whatIsWrappedBelongsToTheContextOnWhateverThread() throws Exception {
    try (var context = DistAutograd.context(rpc);
        ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Supplier<Tensor> product = Rpc.wrapSupplier(() -> rpc.rpcSync("worker1", Tensor::mul, a, b));
      Callable<Tensor> sum = Rpc.wrap(() -> rpc.rpcSync("worker1", Tensor::add, a, b));
      AtomicReference<Tensor> twice = new AtomicReference<>();
      Runnable task =
          Rpc.wrap(() -> twice.set(rpc.rpcSync("worker1", Graphs::through, List.of(), a)));
      Tensor first = CompletableFuture.supplyAsync(product).join();
      Tensor second = pool.submit(sum).get();
      pool.submit(task).get();
      context.backward(first.add(second).add(twice.get()).sum());
      requireValues(context.gradients().get(a), 7, 8, 9);
    }
    awaitNothingHeld();
  }

  @Test
  void structuredForksRecordInTheContextAroundThem() {
    try (var outer = DistAutograd.context(rpc);
        var inner = DistAutograd.open(rpc)) {
      Tensor product =
          inner.call(() -> fork(() -> rpc.rpcSync("worker1", Tensor::mul, a, b)).sum());
      inner.backward(product);
      requireValues(inner.gradients().get(a), 4, 5, 6);
      assertThat(Recording.entered()).extracting(Recording::id).isEqualTo(outer.id());
    }
    assertThat(Recording.entered()).isNull();
    awaitNothingHeld();
  }

  @Test
  void structuredForksOfARemoteMethodBelongToItsCall() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::throughAFork, a, "worker2");
      context.backward(y.sum());
      requireValues(context.gradients().get(a), 2, 2, 2);
    }
    awaitNothingHeld();
  }

  private static <R> R fork(Callable<R> task) {
    try {
      return StructuredFork.call(task);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsWrappedInARemoteCallBelongsToIt() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::throughAnExecutor, a, "worker2");
      context.backward(y.sum());
      requireValues(context.gradients().get(a), 2, 2, 2);
    }
    awaitNothingHeld();
  }

  @Test
  void whatIsWrappedWithinNoGradRecordsNothing() throws Exception {
    try (var _ = DistAutograd.context(rpc)) {
      Callable<Tensor> product =
          NoGrad.call(() -> Rpc.wrap(() -> rpc.rpcSync("worker1", Tensor::mul, a, b)));
      assertThat(product.call().requiresGrad()).isFalse();
    }
  }

  @Test
  void whatIsWrappedThrowsWhatItThrows() {
    Callable<Tensor> failing =
        Rpc.wrap(
            () -> {
              throw new IOException("on purpose");
            });
    assertThatThrownBy(failing::call).isInstanceOf(IOException.class).hasMessage("on purpose");
  }

  /// Calls that have a gradient: of a leaf, of what was computed here, of what came from another
  /// worker, of parameters there, through further workers, and by way of a reference.
  private List<Callable<Tensor>> gradedCalls() {
    Tensor received = rpc.rpcSync("worker1", Tensor::mul, a, b);
    Tensor plain = Tensor.of(1, 2, 3);
    return List.of(
        () -> rpc.rpcSync("worker1", Tensor::neg, a),
        () -> rpc.rpcSync("worker1", Tensor::neg, a.mul(b)),
        () -> rpc.rpcSync("worker2", Tensor::neg, received.add(received)),
        () -> rpc.rpcAsync("worker1", Graphs::timesOwn, plain).await(),
        () -> rpc.rpcSync("worker1", Graphs::through, List.of("worker2", "worker3"), a),
        () -> rpc.remote("worker1", Tensor::mul, a, b).toHere());
  }

  private static void requireLost(DistContext context, ThrowingCallable pass) {
    assertThatThrownBy(pass)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching(
            "a gradient is lost: worker0 called \\S+ outside any autograd context, of which"
                + " \\["
                + context.id()
                + "\\] are open here; make the call in DistContext.call or in a task wrapped by"
                + " Rpc.wrap in the context, or pass detach\\(\\) of tensors that need no"
                + " gradient");
  }

  @Test
  void aForkOutsideOfItsThreadsContextLosesNoGradientSilently() throws Exception {
    try (var context = DistAutograd.context(rpc)) {
      for (Callable<Tensor> call : gradedCalls()) {
        Tensor own = rpc.rpcSync("worker1", Tensor::add, a, a);
        Tensor supplied = CompletableFuture.supplyAsync(() -> fork(call)).join();
        requireLost(context, () -> context.backward(supplied.add(own).sum()));
        requireLost(context, () -> supplied.add(a).sum().backward());
        Tensor forked = StructuredFork.call(call);
        requireLost(context, () -> context.backward(forked.add(own).sum()));
      }
    }
    awaitNothingHeld();
  }

  @Test
  void aForgottenCallOfAnOpenContextLosesNoGradientSilently() throws Exception {
    try (var context = DistAutograd.open(rpc)) {
      for (Callable<Tensor> call : context.call(this::gradedCalls)) {
        Tensor loss = call.call().add(a).sum();
        requireLost(context, () -> context.backward(loss));
      }
    }
    awaitNothingHeld();
  }

  @Test
  void aLostGradientIsFoundWhereItsTensorWasLeft() {
    try (var context = DistAutograd.context(rpc)) {
      RRef<Tensor> there =
          CompletableFuture.supplyAsync(() -> rpc.remote("worker1", Tensor::mul, a, b)).join();
      Tensor loss = there.toHere().sum();
      assertThatThrownBy(() -> context.backward(loss))
          .hasMessageContaining(
              "a gradient is lost: worker0 called Tensor.mul outside any autograd context;"
                  + " make the call in DistContext.call or");
    }
    awaitNothingHeld();
  }

  @Test
  void noGradientIsLostThatNobodyAsksFor() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor own = rpc.rpcSync("worker1", Tensor::mul, a, b);
      Tensor there =
          CompletableFuture.supplyAsync(
                  () -> {
                    assertThat(
                            rpc.rpcSync("worker2", Tensor::neg, own.detach()).requiresGrad()
                                || NoGrad.call(() -> rpc.rpcSync("worker2", Tensor::neg, own))
                                    .requiresGrad())
                        .isFalse();
                    return rpc.rpcSync("worker2", Tensor::neg, own);
                  })
              .join();
      requireValues(there, -4, -10, -18);
      context.backward(own.add(there.detach()).sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
    }
    awaitNothingHeld();
  }

  @Test
  void whatCameInAContextThatIsClosedMayBeSent() {
    Tensor product;
    try (var _ = DistAutograd.context(rpc)) {
      product = rpc.rpcSync("worker1", Tensor::mul, a, b);
    }
    requireValues(rpc.rpcSync("worker2", Tensor::neg, product), -4, -10, -18);
  }
}
