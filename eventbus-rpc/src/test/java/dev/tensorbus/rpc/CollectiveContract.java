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
    for (Map<String, Integer> gathered : onEach(rpc -> rpc.allGatherAsync(rpc.self().id()))) {
      assertThat(gathered).isEqualTo(Map.of("worker0", 0, "worker1", 1, "worker2", 2));
      assertThat(gathered.keySet()).containsExactlyElementsOf(ALL);
    }
  }

  @Test
  void roundsFollowEachOther() {
    for (int round = 0; round < 20; round++) {
      int value = round;
      assertThat(onEach(rpc -> rpc.allGatherAsync(value)))
          .allMatch(gathered -> gathered.values().stream().allMatch(one -> one == value));
    }
  }

  @Test
  void severalRoundsMayBeUnderWay() {
    List<List<Future<Map<String, Integer>>>> rounds = new ArrayList<>();
    for (Rpc rpc : List.of(third, first, second)) {
      rounds.add(Stream.of(1, 2, 3).map(rpc::allGatherAsync).toList());
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
        onEach(rpc -> rpc.allGatherAsync(rpc.rref(Tensor.of(rpc.self().id()))))) {
      assertThat(gathered.get("worker2").toHere().item()).isEqualTo(2);
    }
  }

  @Test
  void noWorkerPassesABarrierBeforeAllHaveCome() {
    onEach(Rpc::barrierAsync);
    onEach(rpc -> rpc.rpcAsync("worker0", Probe::count));
    onEach(Rpc::barrierAsync);
    assertThat(first.rpcSync("worker0", Probe::count)).isEqualTo(4);
  }

  @Test
  void aBarrierWaitsForTheLast() {
    Future<Void> waiting = Future.all(first.barrierAsync(), second.barrierAsync()).mapEmpty();
    first.rpcSync("worker1", Probe::count);
    assertThat(waiting.isComplete()).isFalse();
    third.barrierAsync().await();
    waiting.await();
  }

  @Test
  void theBlockingFormsWaitAndGiveTheResult() {
    for (int worker = 1; worker < 3; worker++) {
      Rpc other = world.worker(worker);
      Future<Void> _ = world.onVirtualThread(() -> meetOthers(other));
    }
    assertThat(first.allGather(first.self().id())).hasSize(3).containsEntry("worker2", 2);
    assertThat(first.allReduce(ALL, List.of(Tensor.of(1))).getFirst().item()).isEqualTo(3);
    first.barrier();
    assertThat(first.rpcSync("worker0", Probe::count)).isEqualTo(3); // the others had counted
  }

  private static Void meetOthers(Rpc rpc) {
    Map<String, Integer> _ = rpc.allGather(rpc.self().id());
    List<Tensor> _ = rpc.allReduce(ALL, List.of(Tensor.of(1)));
    int _ = rpc.rpcSync("worker0", Probe::count);
    rpc.barrier();
    return null;
  }

  @Test
  void anEventLoopMayNotWaitAndBringsNothing() {
    Future<Void> refused =
        world.onEventLoop(
            () -> {
              first.barrier();
              return null;
            });
    assertThatThrownBy(refused::await)
        .hasMessageContaining("call rpcAsync or another …Async method here");
    onEach(Rpc::barrierAsync); // the first round of each
  }

  @Test
  void groupsMeetIndependently() {
    List<String> even = List.of("worker2", "worker0");
    Future<Map<String, String>> some =
        Future.all(first.allGatherAsync(even, "a"), third.allGatherAsync(even, "b"))
            .map(done -> done.<Map<String, String>>resultAt(0));
    second.barrierAsync(List.of("worker1")).await();
    assertThat(some.await()).isEqualTo(Map.of("worker0", "a", "worker2", "b"));
    onEach(Rpc::barrierAsync);
  }

  @Test
  void whoIsLateIsNamedToEveryoneAndTheNextRoundIsTheSameForAll() {
    Future<Void> waiting = first.barrierAsync(ALL, Duration.ofMinutes(1));
    Future<Void> hurried = second.barrierAsync(ALL, SHORT_LIMIT);
    requireLate(hurried);
    requireLate(waiting);
    requireLate(third.barrierAsync(ALL));
    onEach(rpc -> rpc.barrierAsync(ALL));
  }

  private static void requireLate(Future<Void> barrier) {
    assertThatThrownBy(barrier::await).isInstanceOf(RpcTimeoutException.class).hasMessage(LATE);
  }

  @Test
  void whoHasLeftIsNamed() {
    Future<Void> waiting = second.barrierAsync();
    first.rpcSync("worker1", Probe::count);
    third.leave().await();
    assertThatThrownBy(waiting::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("barrier of worker0, worker1, worker2: worker2 has left");
    World.eventually(() -> first.workers().size() == 2);
    assertThatThrownBy(() -> first.allGatherAsync(1).await())
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("allGather of worker0, worker1, worker2: worker2 has not joined or has left");
  }

  @Test
  void theLeadersEndIsEveryonesEnd() {
    Future<Map<String, Integer>> waiting = second.allGatherAsync(1);
    third.rpcSync("worker0", Probe::count);
    first.leave().await();
    assertThatThrownBy(waiting::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage(
            "allGather of worker0, worker1, worker2: worker0, which collects the values, has left");
    List<String> rest = List.of("worker1", "worker2");
    Future.all(second.barrierAsync(rest), third.barrierAsync(rest)).await();
  }

  @Test
  void aReplacedWorkerStartsAfresh() {
    onEach(Rpc::barrierAsync);
    third.leave().await();
    third = world.join("worker2", 2, 3);
    third.ready().await();
    first.awaitWorker("worker2", World.PATIENCE).await();
    second.awaitWorker("worker2", World.PATIENCE).await();
    onEach(Rpc::barrierAsync);
    third.leave().await();
  }

  @Test
  void onlyMembersMeet() {
    assertThatThrownBy(() -> first.barrierAsync(List.of("worker1", "worker2")).await())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("barrier of worker1, worker2: only these workers may call it, not worker0");
    assertThatThrownBy(() -> first.barrierAsync(List.of("worker0", "worker9")).await())
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("barrier of worker0, worker9: worker9 has not joined or has left");
  }

  @Test
  void aValueThatMayNotTravelFailsAtItsWorkerAndTheOthersMissIt() {
    Future<Map<String, Object>> waiting = second.allGatherAsync(ALL, 1, SHORT_LIMIT);
    assertThatThrownBy(() -> third.allGatherAsync(ALL, new StringReader("x"), SHORT_LIMIT).await())
        .isInstanceOf(WireException.class)
        .hasMessageContaining("cannot send");
    assertThatThrownBy(waiting::await)
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage(
            "worker0, worker2 did not answer the allGather of worker0, worker1, worker2 within"
                + " 1 s");
  }
}
