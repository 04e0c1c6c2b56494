// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import dev.tensorbus.rpc.testing.TrafficTotals;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// G14: a worker runs as many calls as it admits, and lets the others wait or tells them.
class BackPressureTest {
  private static final int MOST = 10;

  private final MemoryWorld world = new MemoryWorld(3, options -> options.withMaxCalls(MOST));
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
            "worker1 is too busy for Probe.count: it runs 10 of at most 10 calls; retry later, let"
                + " the call be queued (the default), or raise the worker's"
                + " RpcOptions.withMaxCalls");
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
    Calls hurried = rpc.with(CallOptions.timeout(Duration.ofMillis(200)));
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::count))
        .isInstanceOf(RpcTimeoutException.class);
  }

  @Test
  void callsThatWaitAreSentOnceAndRunInOrderOfArrival() {
    try (MemoryWorld narrow = new MemoryWorld(2, options -> options.withMaxCalls(1))) {
      AtomicInteger requests = new AtomicInteger();
      Fault counted = Fault.delay(1, Duration.ZERO).calling("Probe.count");
      narrow.network().suffer(counted.where(each -> requests.incrementAndGet() > 0));
      Rpc caller = narrow.worker(0);
      Future<Void> blocked = caller.rpcAsync("worker1", Probe::block);
      List<Future<Integer>> waiting =
          Stream.generate(() -> caller.rpcAsync("worker1", Probe::count)).limit(1_000).toList();
      World.eventually(() -> narrow.worker(1).debugInfo().get("rpc.waiting_calls") == 1_000);
      caller.cancel(blocked);
      List<Integer> inOrder = IntStream.rangeClosed(1, 1_000).boxed().toList();
      assertThat(caller.waitAll(waiting)).isEqualTo(inOrder);
      assertThat(requests).hasValue(1_000);
    }
  }

  @Test
  void callsThatWaitAreSentNoMoreOnceTheirWorkerHasAcknowledgedThem() {
    try (MemoryWorld narrow = new MemoryWorld(2, options -> options.withMaxCalls(1))) {
      Quiet quiet = new Quiet();
      narrow.network().suffer(Fault.delay(1, Duration.ZERO).where(quiet::sees));
      Rpc caller = narrow.worker(0);
      Future<Void> blocked = caller.rpcAsync("worker1", Probe::block);
      Calls repeated = caller.with(CallOptions.DEFAULT.withRetry(Duration.ofMillis(20)));
      List<Future<Integer>> waiting =
          Stream.generate(() -> repeated.rpcAsync("worker1", Probe::count)).limit(1_000).toList();
      World.eventually(() -> narrow.worker(1).debugInfo().get("rpc.waiting_calls") == 1_000);
      World.eventually(() -> quiet.isThere);
      caller.cancel(blocked);
      List<Integer> inOrder = IntStream.rangeClosed(1, 1_000).boxed().toList();
      assertThat(caller.waitAll(waiting)).isEqualTo(inOrder);
    }
  }

  /// Two probes without a request between them.
  private static final class Quiet {
    private boolean isRequested = true;
    private volatile boolean isThere;

    synchronized boolean sees(TrafficTotals traffic) {
      if (traffic.kind().equals("probe")) {
        isThere |= !isRequested;
        isRequested = false;
      } else if (traffic.kind().equals("request")) {
        isRequested = true;
      }
      return true;
    }
  }

  @Test
  void aCallThatIsGivenUpWhileItWaitsNeverRuns() {
    List<Future<Void>> blocked = fill();
    Future<Integer> waits = rpc.rpcAsync("worker1", Probe::count);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.waiting_calls") == 1);
    rpc.cancel(waits);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.waiting_calls") == 0);
    rpc.cancel(blocked.getFirst());
    assertThat(rpc.rpcSync("worker1", Probe::count)).isEqualTo(1);
  }

  @Test
  void whatACallWasToMakeThatIsGivenUpWhileItWaitsIsAnErrorForAll() {
    Rpc other = world.worker(2);
    Stream.generate(() -> other.rpcAsync("worker1", Probe::block)).limit(MOST).toList();
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == MOST);
    RRef<Probe> probe = rpc.remote("worker1", Probe::new, 1);
    rpc.rpcSync("worker2", Probe::keep, probe);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.waiting_calls") == 1);
    world.kill(0);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.waiting_calls") == 0);
    Probe.unblockAt(world.worker(1));
    assertThatThrownBy(() -> other.rpcSync("worker2", Probe::plusKept, 1))
        .hasMessageContaining("worker0 cancelled new Probe, which should have created the object");
  }

  @Test
  void theCallsOfADeadCallerTakeTheirPlacesUntilTheyHaveReturned() {
    Stream.generate(() -> rpc.rpcAsync("worker1", Probe::insist)).limit(MOST).toList();
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == MOST);
    Rpc other = world.worker(2);
    Calls impatient = other.with(CallOptions.DEFAULT.failingWhenBusy());
    world.kill(0);
    World.eventually(() -> other.workers().size() == 2 && world.worker(1).workers().size() == 2);
    assertThatThrownBy(() -> impatient.rpcSync("worker1", Probe::count))
        .isInstanceOf(WorkerBusyException.class);
    Future<Integer> waits = other.rpcAsync("worker1", Probe::count);
    Probe.unblockAt(world.worker(1));
    assertThat(waits.await()).isEqualTo(1);
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == 0);
  }

  @Test
  void anAnswerForWhichMemoryRunsOutIsAnErrorAndLeavesItsPlace() {
    for (int i = 0; i < MOST + 1; i++) {
      assertThatThrownBy(() -> rpc.rpcSync("worker1", Fuse::light, 3))
          .isInstanceOf(RemoteException.class)
          .hasMessage("worker1 failed in Fuse.light: java.lang.OutOfMemoryError: no room for 3");
    }
    World.eventually(() -> world.worker(1).debugInfo().get("rpc.served_calls") == 0);
  }

  @Test
  void aWorkerThatWaitsForTheOthersToShutDownStillAnswers() {
    try (MemoryWorld narrow = new MemoryWorld(3, options -> options.withMaxCalls(1))) {
      List<Future<Void>> ends = new ArrayList<>(List.of(narrow.worker(0).shutdown()));
      ends.add(narrow.worker(1).shutdown());
      assertThat(narrow.worker(2).rpcSync("worker0", Probe::sum, 1, 2)).isEqualTo(3);
      ends.add(narrow.worker(2).shutdown());
      Future.all(ends).await();
    }
  }

  @Test
  void barriersDoNotKeepTheCallsOut() {
    try (MemoryWorld narrow = new MemoryWorld(3, options -> options.withMaxCalls(2))) {
      Future<Void> first = narrow.worker(0).barrierAsync();
      Future<Void> second = narrow.worker(1).barrierAsync();
      assertThat(narrow.worker(2).rpcSync("worker0", Probe::sum, 1, 2)).isEqualTo(3);
      Future.all(first, second, narrow.worker(2).barrierAsync()).await();
    }
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
