// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import io.vertx.core.Future;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// G16: what all workers do together; the subclasses say how they are connected.
abstract class CollectiveContract {
  private static final List<String> ALL = List.of("worker0", "worker1", "worker2");
  private static final Duration SHORT_LIMIT = Duration.ofSeconds(1);
  private static final String LATE =
      "worker2 did not answer the barrier of worker0, worker1, worker2 within 1 s";

  private World world;
  private Rpc first;
  private Rpc second;
  private Rpc third;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(3);
    first = world.worker(0);
    second = world.worker(1);
    third = world.worker(2);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private <T> List<T> onEach(Function<Rpc, Future<T>> body) {
    List<Future<T>> results = Stream.of(first, second, third).map(body).toList();
    return results.stream().map(result -> result.await()).toList();
  }

  @Test
  void eachWorkerGetsEveryonesValueByName() {
    for (Map<String, Integer> gathered : onEach(rpc -> rpc.allGather(rpc.self().id()))) {
      assertThat(gathered).isEqualTo(Map.of("worker0", 0, "worker1", 1, "worker2", 2));
      assertThat(gathered.keySet()).containsExactlyElementsOf(ALL);
    }
  }

  @Test
  void roundsFollowEachOther() {
    for (int round = 0; round < 20; round++) {
      int value = round;
      assertThat(onEach(rpc -> rpc.allGather(value)))
          .allMatch(gathered -> gathered.values().stream().allMatch(one -> one == value));
    }
  }

  @Test
  void severalRoundsMayBeUnderWay() {
    List<List<Future<Map<String, Integer>>>> rounds = new ArrayList<>();
    for (Rpc rpc : List.of(third, first, second)) {
      rounds.add(Stream.of(1, 2, 3).map(rpc::allGather).toList());
    }
    for (List<Future<Map<String, Integer>>> ofOne : rounds) {
      for (int round = 0; round < 3; round++) {
        assertThat(ofOne.get(round).await().values()).containsOnly(round + 1);
      }
    }
  }

  @Test
  void tensorsAndReferencesAreGathered() {
    for (Map<String, RRef<Tensor>> gathered :
        onEach(rpc -> rpc.allGather(rpc.rref(Tensor.of(rpc.self().id()))))) {
      assertThat(gathered.get("worker2").toHere().item()).isEqualTo(2);
    }
  }

  @Test
  void noWorkerPassesABarrierBeforeAllHaveCome() {
    onEach(Rpc::barrier);
    onEach(rpc -> rpc.rpcAsync("worker0", Probe::count));
    onEach(Rpc::barrier);
    assertThat(first.rpcSync("worker0", Probe::count)).isEqualTo(4);
  }

  @Test
  void aBarrierWaitsForTheLast() {
    Future<Void> waiting = Future.all(first.barrier(), second.barrier()).mapEmpty();
    first.rpcSync("worker1", Probe::count);
    assertThat(waiting.isComplete()).isFalse();
    third.barrier().await();
    waiting.await();
  }

  @Test
  void groupsMeetIndependently() {
    List<String> even = List.of("worker2", "worker0");
    Future<Map<String, String>> some =
        Future.all(first.allGather(even, "a"), third.allGather(even, "b"))
            .map(done -> done.<Map<String, String>>resultAt(0));
    second.barrier(List.of("worker1")).await();
    assertThat(some.await()).isEqualTo(Map.of("worker0", "a", "worker2", "b"));
    onEach(Rpc::barrier);
  }

  @Test
  void whoIsLateIsNamedToEveryoneAndTheNextRoundIsTheSameForAll() {
    Future<Void> waiting = first.barrier(ALL, Duration.ofMinutes(1));
    Future<Void> hurried = second.barrier(ALL, SHORT_LIMIT);
    requireLate(hurried);
    requireLate(waiting);
    requireLate(third.barrier(ALL));
    onEach(rpc -> rpc.barrier(ALL));
  }

  private static void requireLate(Future<Void> barrier) {
    assertThatThrownBy(barrier::await).isInstanceOf(RpcTimeoutException.class).hasMessage(LATE);
  }

  @Test
  void whoHasLeftIsNamed() {
    Future<Void> waiting = second.barrier();
    first.rpcSync("worker1", Probe::count);
    third.leave().await();
    assertThatThrownBy(waiting::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("barrier of worker0, worker1, worker2: worker2 has left");
    World.eventually(() -> first.workers().size() == 2);
    assertThatThrownBy(() -> first.allGather(1).await())
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("allGather of worker0, worker1, worker2: worker2 is not there");
  }

  @Test
  void theLeadersEndIsEveryonesEnd() {
    Future<Map<String, Integer>> waiting = second.allGather(1);
    third.rpcSync("worker0", Probe::count);
    first.leave().await();
    assertThatThrownBy(waiting::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage(
            "allGather of worker0, worker1, worker2: worker0, which collects the values, has left");
    List<String> rest = List.of("worker1", "worker2");
    Future.all(second.barrier(rest), third.barrier(rest)).await();
  }

  @Test
  void aReplacedWorkerStartsAfresh() {
    onEach(Rpc::barrier);
    third.leave().await();
    third = world.join("worker2", 2, 3);
    third.ready().await();
    first.awaitWorker("worker2", World.PATIENCE).await();
    second.awaitWorker("worker2", World.PATIENCE).await();
    onEach(Rpc::barrier);
    third.leave().await();
  }

  @Test
  void onlyMembersMeet() {
    assertThatThrownBy(() -> first.barrier(List.of("worker1", "worker2")).await())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("barrier of worker1, worker2: only they may call it, not worker0");
    assertThatThrownBy(() -> first.barrier(List.of("worker0", "worker9")).await())
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("barrier of worker0, worker9: worker9 is not there");
  }

  @Test
  void aValueThatMayNotTravelFailsAtItsWorkerAndTheOthersMissIt() {
    Future<Map<String, Object>> waiting = second.allGather(ALL, 1, SHORT_LIMIT);
    assertThatThrownBy(() -> third.allGather(ALL, new StringReader("x"), SHORT_LIMIT).await())
        .isInstanceOf(WireException.class)
        .hasMessageContaining("cannot send");
    assertThatThrownBy(waiting::await)
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage(
            "worker0, worker2 did not answer the allGather of worker0, worker1, worker2 within"
                + " 1 s");
  }
}
