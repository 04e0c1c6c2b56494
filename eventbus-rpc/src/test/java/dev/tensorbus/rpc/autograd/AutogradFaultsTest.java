// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Distributed autograd where messages are lost and workers die.
@Tag("slow")
class AutogradFaultsTest {
  private static final int WORKERS = 4;

  @AutoClose private final MemoryWorld world = new MemoryWorld(WORKERS);
  private final Rpc rpc = world.worker(0);
  private final Tensor x = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});

  private void awaitNothingHeld(int... workers) {
    for (int rank : workers) {
      Rpc worker = world.worker(rank);
      World.eventually(() -> worker.debugInfo().get("autograd.contexts") == 0);
    }
  }

  private Tensor throughAll() {
    List<String> route = List.of("worker2", "worker3");
    return rpc.rpcSync("worker1", Graphs::through, route, x);
  }

  @Test
  void aContextEndsEverywhereThoughTheWordOfItsEndIsLost() {
    world.network().suffer(Fault.drop(1).ofKind("release"));
    try (var context = DistAutograd.context(rpc)) {
      context.backward(throughAll().sum());
    }
    awaitNothingHeld(0, 1, 2, 3);
    assertThat(world.network().history()).anyMatch(line -> line.contains("release"));
  }

  @Test
  void aPassSurvivesTheLossOfItsMessages() {
    AtomicInteger lost = new AtomicInteger();
    world
        .network()
        .suffer(
            Fault.drop(1)
                .calling("AutogradCalls.receiveGradients")
                .where(traffic -> lost.incrementAndGet() <= 3));
    try (var context = DistAutograd.context(rpc)) {
      context.backward(throughAll().sum());
      assertThat(context.gradients().get(x).values()).containsExactly(2, 2, 2);
    }
    assertThat(lost.get()).isGreaterThan(3);
    awaitNothingHeld(0, 1, 2, 3);
  }

  @Test
  void contextsEndWithTheWorkerThatOpenedThem() {
    DistContext context = DistAutograd.open(rpc);
    context.call(this::throughAll);
    world.kill(0);
    awaitNothingHeld(1, 2, 3);
  }

  @Test
  void aWorkerThatDiesInTheMiddleOfAPassEndsItEverywhere() {
    try (var context = DistAutograd.open(rpc)) {
      Tensor y =
          context.call(() -> rpc.rpcSync("worker1", Graphs::heldUpThrough, List.of("worker2"), x));
      Future<Boolean> pass = pass(context, y);
      rpc.rpcSync("worker2", Graphs::awaitHeldUp);
      world.kill(2);
      assertThatThrownBy(pass::await).hasMessageContaining("worker2 left");
      World.eventually(() -> world.worker(1).debugInfo().get("autograd.passes") == 0);
      assertThat(rpc.debugInfo()).containsEntry("autograd.passes", 0L);
    }
    awaitNothingHeld(0, 1);
  }

  private static Future<Boolean> pass(DistContext context, Tensor y) {
    return Future.future(
        promise ->
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        context.backward(y.sum());
                        promise.complete(true);
                      } catch (RuntimeException e) {
                        promise.fail(e);
                      }
                    }));
  }

  @Test
  void aPlainBackwardPassFailsWhenATrainerDies() {
    List<String> trainers = List.of("worker1", "worker2");
    Future<String> failing = rpc.rpcAsync("worker1", Trainers::failing, trainers);
    rpc.rpcSync("worker2", Trainers::idle, trainers);
    world.kill(2);
    assertThat(failing.await()).startsWith("allReduce").contains("worker2");
  }

  @Test
  void whoeverWasReachedThroughADeadWorkerHearsOfTheEnd() {
    try (var _ = DistAutograd.context(rpc)) {
      throughAll();
      world.kill(2);
      assertThat(world.worker(3).debugInfo()).containsEntry("autograd.contexts", 1L);
    }
    awaitNothingHeld(0, 1, 3);
  }

  @Test
  void aReplacedWorkersContextsAreOthersThanItsPredecessors() {
    long before = rpc.rpcSync("worker1", Graphs::openAndClose);
    world.kill(1);
    World.eventually(() -> rpc.workers().size() == WORKERS - 1);
    world.replace(1, RpcOptions.worldSize(WORKERS).withRank(1)).ready().await();
    assertThat(rpc.rpcSync("worker1", Graphs::openAndClose)).isNotEqualTo(before);
  }
}
