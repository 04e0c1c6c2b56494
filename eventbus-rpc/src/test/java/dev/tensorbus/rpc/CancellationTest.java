// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// G6: deadlines and the ends of calls travel to whoever works for them.
class CancellationTest {
  private final MemoryWorld world = new MemoryWorld(3);
  private final Rpc rpc = world.worker(0);
  private final Calls hurried = rpc.with(CallOptions.timeout(Duration.ofSeconds(1)));

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aMethodSeesTheDeadlineOfItsCall() {
    assertThat(
            rpc.with(CallOptions.timeout(Duration.ofSeconds(9)))
                .rpcSync("worker1", Probe::millisLeft))
        .isBetween(1L, 9_000L);
  }

  @Test
  void aMethodIsInterruptedWhenItsCallTimesOut() {
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::blockUntilCancelled))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(rpc.rpcSync("worker1", Probe::awaitCancelled)).isTrue();
  }

  @Test
  void aMethodIsInterruptedEvenIfTheCallersWordIsLost() {
    world.network().suffer(Fault.drop(1).ofKind("cancel"));
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::blockUntilCancelled))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(rpc.rpcSync("worker1", Probe::awaitCancelled)).isTrue();
  }

  @Test
  void aTimeoutReachesTheCallsThatACallMade() {
    Calls nested = rpc.with(CallOptions.timeout(Duration.ofSeconds(3))); // it has to get there
    assertThatThrownBy(() -> nested.rpcSync("worker1", Probe::blockThrough, "worker2"))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(rpc.rpcSync("worker2", Probe::awaitCancelled)).isTrue();
  }

  @Test
  void aCallThatIsCancelledInterruptsItsMethod() {
    Future<Void> call = rpc.rpcAsync("worker1", Probe::blockUntilCancelled);
    rpc.rpcSync("worker1", Probe::awaitBlocked);
    assertThat(rpc.cancel(call)).isTrue();
    assertThatThrownBy(call::await)
        .isInstanceOf(CancellationException.class)
        .hasMessage(
            "worker0 cancelled Probe.blockUntilCancelled on worker1; the method may have run");
    assertThat(rpc.rpcSync("worker1", Probe::awaitCancelled)).isTrue();
    assertThat(rpc.cancel(call)).isFalse();
  }

  @Test
  void interruptingTheThreadThatWaitsGivesTheCallUp() {
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread waiting =
        Thread.startVirtualThread(
            () -> {
              try {
                rpc.rpcSync("worker1", Probe::blockUntilCancelled);
              } catch (CancellationException e) {
                ended.complete(e);
              }
            });
    rpc.rpcSync("worker1", Probe::awaitBlocked);
    waiting.interrupt();
    assertThat(ended.join()).hasMessage("interrupted while waiting for an answer");
    assertThat(rpc.rpcSync("worker1", Probe::awaitCancelled)).isTrue();
  }

  @Test
  void aMethodIsInterruptedWhenItsCallerDies() {
    rpc.rpcAsync("worker1", Probe::blockUntilCancelled);
    world.worker(2).rpcSync("worker1", Probe::awaitBlocked);
    world.kill(0);
    assertThat(world.worker(2).rpcSync("worker1", Probe::awaitCancelled)).isTrue();
  }

  @Test
  void aFutureThatNobodyWaitsForAnyMoreHoldsNoPlace() {
    Future<Void> call = rpc.rpcAsync("worker1", Probe::never);
    rpc.rpcSync("worker1", Probe::awaitBlocked);
    rpc.cancel(call);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == 0);
  }

  @Test
  void aCallThatIsGivenUpBeforeItComesNeverRuns() {
    Fault afterItsCancel = Fault.reorder(1).within(Duration.ofHours(1)).calling("Probe.count");
    world.network().suffer(afterItsCancel);
    Future<Integer> call = rpc.rpcAsync("worker1", Probe::count);
    rpc.cancel(call);
    assertThatThrownBy(call::await).isInstanceOf(CancellationException.class);
    rpc.rpcSync("worker1", Probe::where); // both have left before
    world.network().heal();
    assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(1);
  }
}
