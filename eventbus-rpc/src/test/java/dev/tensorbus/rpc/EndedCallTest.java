// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.EndedCall.Side;
import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Listeners hear of each call that ends, at both of its workers.
class EndedCallTest {
  private final MemoryWorld world = new MemoryWorld(2, options -> options.withMaxCalls(1));
  private final Rpc caller = world.worker(0);
  private final Queue<EndedCall> made = new ConcurrentLinkedQueue<>();
  private final Queue<EndedCall> served = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void listen() {
    caller.onCallEnded(made::add);
    world.worker(1).onCallEnded(served::add);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// Listeners may hear a moment after the thread that waits for the answer.
  private static void awaitOutcomes(Queue<EndedCall> ended, Outcome... outcomes) {
    World.eventually(() -> ended.size() >= outcomes.length);
    assertThat(ended).extracting(EndedCall::outcome).containsExactly(outcomes);
  }

  @Test
  void bothSidesHearOfACallAndOfNoneOfTensorbussOwn() {
    assertThat(caller.rpcSync("worker1", Probe::sum, 1, 2)).isEqualTo(3);
    Future.all(caller.barrierAsync(), world.worker(1).barrierAsync()).await(); // by control calls
    awaitOutcomes(made, Outcome.OK);
    awaitOutcomes(served, Outcome.OK);
    assertThat(made)
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.side()).isEqualTo(Side.CALLER);
              assertThat(call.peer()).isEqualTo("worker1");
              assertThat(call.function()).hasToString("Probe.sum");
              assertThat(call.outcome()).isEqualTo(Outcome.OK);
              assertThat(call.nanos()).isPositive();
              assertThat(call.repeats()).isZero();
            });
    assertThat(served.element().side()).isEqualTo(Side.CALLEE);
    assertThat(served.element().peer()).isEqualTo("worker0");
    assertThat(served.element().nanos()).isPositive();
  }

  @Test
  void anErrorOfTheMethodIsOneOnBothSides() {
    assertThatThrownBy(() -> caller.rpcSync("worker1", Probe::fail, "no"))
        .isInstanceOf(RemoteException.class);
    awaitOutcomes(made, Outcome.ERROR);
    awaitOutcomes(served, Outcome.ERROR);
  }

  @Test
  void aCallThatFindsNoRoomIsBusy() {
    Future<Void> first = caller.rpcAsync("worker1", Probe::never);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == 1);
    Calls hurried = caller.with(CallOptions.DEFAULT.failingWhenBusy());
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::sum, 1, 2))
        .isInstanceOf(WorkerBusyException.class);
    awaitOutcomes(made, Outcome.BUSY);
    awaitOutcomes(served, Outcome.BUSY);
    caller.cancel(first);
    awaitOutcomes(made, Outcome.BUSY, Outcome.CANCELLED);
  }

  @Test
  void aCallThatIsSentAgainSaysHowOften() {
    world.network().suffer(Fault.drop(1).ofKind("request"));
    Calls retrying =
        caller.with(CallOptions.timeout(Duration.ofSeconds(2)).withRetry(Duration.ofMillis(10)));
    assertThatThrownBy(() -> retrying.rpcSync("worker1", Probe::sum, 1, 2))
        .isInstanceOf(RpcTimeoutException.class);
    awaitOutcomes(made, Outcome.TIMEOUT);
    assertThat(made.element().repeats()).isPositive();
    assertThat(served).isEmpty();
  }

  @Test
  void aCallToAWorkerThatLeavesIsLost() {
    Future<Void> call = caller.rpcAsync("worker1", Probe::never);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == 1);
    world.kill(1);
    assertThatThrownBy(call::await).isInstanceOf(NoSuchWorkerException.class);
    awaitOutcomes(made, Outcome.LOST);
  }

  @Test
  void aListenerThatThrowsHarmsNoCall() {
    caller.onCallEnded(
        call -> {
          throw new IllegalStateException("of a listener");
        });
    assertThat(caller.rpcSync("worker1", Probe::sum, 1, 2)).isEqualTo(3);
  }
}
