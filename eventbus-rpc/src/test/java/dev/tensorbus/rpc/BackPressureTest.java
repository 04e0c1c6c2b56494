// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// G14: a worker runs as many calls as it admits, and lets the others wait or tells them.
class BackPressureTest {
  private static final int MOST = 10;

  private final MemoryWorld world =
      new MemoryWorld(2, options -> options.withTimeout(World.CALL_TIME).withMaxCalls(MOST));
  private final Rpc rpc = world.worker(0);

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private List<Future<Void>> fill() {
    List<Future<Void>> blocked =
        Stream.generate(() -> rpc.rpcAsync("worker1", Probe::block)).limit(MOST).toList();
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == MOST);
    return blocked;
  }

  @Test
  void aFullWorkerTellsThatItIsBusy() {
    List<Future<Void>> blocked = fill();
    Calls impatient = rpc.with(CallOptions.DEFAULT.failingWhenBusy());
    assertThatThrownBy(() -> impatient.rpcSync("worker1", Probe::count))
        .isInstanceOf(WorkerBusyException.class)
        .hasMessage(
            "worker1 is too busy for Probe.count: it runs 10 calls of at most 10; call later, wait"
                + " for room (the default), or give it RpcOptions.withMaxCalls");
    rpc.cancel(blocked.getFirst());
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") < MOST);
    assertThat(impatient.rpcSync("worker1", Probe::count)).isEqualTo(1);
  }

  @Test
  void aCallWaitsForRoom() {
    List<Future<Void>> blocked = fill();
    List<Future<Integer>> waiting =
        Stream.generate(() -> rpc.rpcAsync("worker1", Probe::count)).limit(100).toList();
    assertThat(world.worker(1).debugInfo()).containsEntry("rpc.served_calls", (long) MOST);
    rpc.cancel(blocked.getFirst());
    Future.all(waiting).await();
    assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(101);
  }

  @Test
  void aCallWaitsForRoomNoLongerThanItsTime() {
    fill();
    Calls brief = rpc.with(CallOptions.timeout(Duration.ofMillis(200)));
    assertThatThrownBy(() -> brief.rpcSync("worker1", Probe::count))
        .isInstanceOf(RpcTimeoutException.class);
  }

  @Test
  void referencesAreSettledThoughTheirOwnerIsFull() {
    RRef<Probe> probe = rpc.remote("worker1", Probe::new, 1);
    probe.created().await();
    fill();
    probe.close();
    World.eventually(() -> world.worker(1).debugInfo().get("rref.owned") == 0);
  }

  @Test
  void tenThousandBlockedCallsLeaveAWorkerAnsweringOthers() {
    try (MemoryWorld wide = new MemoryWorld(2)) {
      Rpc caller = wide.worker(0);
      List<Future<Void>> blocked =
          Stream.generate(() -> caller.rpcAsync("worker1", Probe::block)).limit(10_000).toList();
      World.eventually(() -> wide.worker(1).debugInfo().get("rpc.served_calls") == 10_000);
      assertThat(caller.rpcSync("worker1", Probe::sum, 1, 2)).isEqualTo(3);
      caller.rpcSync("worker1", Probe::unblock);
      Future.all(blocked).await();
    }
  }
}
