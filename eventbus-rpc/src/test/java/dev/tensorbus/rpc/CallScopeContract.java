// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Blocks of calls; the subclasses say how the workers are connected.
abstract class CallScopeContract {
  private World world;
  private Rpc rpc;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(2);
    rpc = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  @Test
  void aScopeEndsWhenItsCallsHaveEnded() {
    Future<Integer> sum;
    try (CallScope scope = rpc.scope()) {
      assertThat(scope.calls()).isEmpty();
      sum = scope.rpcAsync("worker1", Probe::later, 20);
      assertThat(scope.calls()).containsExactly(sum);
    }
    assertThat(sum.isComplete()).isTrue();
    assertThat(sum.result()).isEqualTo(21);
  }

  @Test
  void onlyAsyncCallsAreWaitedFor() {
    List<Future<?>> sums = new ArrayList<>();
    try (CallScope scope = rpc.scope()) {
      for (int i = 0; i < 20; i++) {
        sums.add(scope.rpcAsync("worker1", Probe::sum, i, i));
        assertThat(scope.rpcSync("worker1", Probe::sum, i, 1)).isEqualTo(i + 1);
      }
      assertThat(scope.calls()).isEqualTo(sums);
    }
    assertThat(sums).allMatch(Future::succeeded);
  }

  @Test
  void callsThroughAReferenceAreCollectedToo() {
    Future<Integer> sum;
    try (CallScope scope = rpc.scope()) {
      RRef<Probe> probe = scope.remote("worker1", Probe::new, 40);
      sum = scope.on(probe).rpcAsync(Probe::plus, 2);
      assertThat(scope.on(probe).rpcSync(Probe::plus, 1)).isEqualTo(41);
      assertThat(scope.on(probe).remote(Probe::plus, 3).toHere()).isEqualTo(43);
    }
    assertThat(sum.result()).isEqualTo(42);
    World.eventually(() -> world.worker(1).debugInfo().get("rref.owned") == 0);
  }

  @Test
  void referencesEndWithTheirScope() {
    RRef<Tensor> made;
    RRef<Tensor> kept = rpc.remote("worker1", Probe::zeros);
    try (CallScope scope = rpc.scope()) {
      made = scope.remote("worker1", Probe::zeros);
      assertThat(scope.keep(kept)).isSameAs(kept);
      made.toHere();
    }
    assertThatThrownBy(made::toHere).hasMessageContaining("is closed");
    assertThatThrownBy(kept::toHere).hasMessageContaining("is closed");
    World.eventually(() -> world.worker(1).debugInfo().get("rref.owned") == 0);
  }

  @Test
  void theFirstErrorEndsTheScopeWithoutWaitingForTheRest() {
    List<Future<?>> calls = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              try (CallScope scope = rpc.scope()) {
                calls.add(scope.rpcAsync("worker1", Probe::block));
                rpc.rpcSync("worker1", Probe::awaitBlocked);
                calls.add(scope.rpcAsync("worker1", Probe::fail, "first"));
              }
            })
        .isInstanceOf(RemoteException.class)
        .hasMessage("worker1 failed in Probe.fail: first");
    World.eventually(() -> calls.getFirst().isComplete());
    assertThat(calls.getFirst().cause()).isInstanceOf(CancellationException.class);
  }

  @Test
  void oneFailureAmongManyIsThrown() {
    assertThatThrownBy(
            () -> {
              try (CallScope scope = rpc.scope()) {
                for (int i = 0; i < 10; i++) {
                  scope.rpcAsync("worker1", Probe::sum, i, i);
                }
                scope.rpcAsync("worker1", Probe::fail, "partial");
              }
            })
        .hasMessage("worker1 failed in Probe.fail: partial");
  }

  @Test
  void aCallThatIsLateEndsTheScope() {
    assertThatThrownBy(
            () -> {
              try (CallScope scope = rpc.scope()) {
                scope
                    .with(CallOptions.timeout(Duration.ofMillis(100)))
                    .rpcAsync("worker1", Probe::block);
              }
            })
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("worker1 did not answer Probe.block within 0.1 s");
  }

  @Test
  void anErrorOfTheBlockIsNotLost() {
    assertThatThrownBy(
            () -> {
              try (CallScope scope = rpc.scope()) {
                scope.rpcAsync("worker1", Probe::fail, "call");
                throw new IllegalArgumentException("block");
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("block")
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed()[0])
                    .hasMessage("worker1 failed in Probe.fail: call"));
  }

  @Test
  void aScopeThatHasEndedTakesNoCall() {
    CallScope scope = rpc.scope();
    scope.close();
    scope.close();
    assertThatThrownBy(() -> scope.rpcAsync("worker1", Probe::nothing))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this scope has ended; open another with rpc.scope()");
  }
}
