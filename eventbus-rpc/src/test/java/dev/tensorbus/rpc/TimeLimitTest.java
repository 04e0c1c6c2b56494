// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.spi.cluster.ClusterManager;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A time limit covers all that is done within it, also where the cluster's register does not
/// answer.
class TimeLimitTest {
  private static final Duration SHORT_LIMIT = Duration.ofMillis(50);

  /// What is asked of the register of a world.
  private static final Set<String> QUESTIONS = Set.of("get", "values", "removeIfPresent");

  private final MemoryCluster cluster = new MemoryCluster();
  private volatile boolean isSlow;
  private Vertx host;
  private Rpc rpc;

  @BeforeEach
  void open() {
    host = Vertx.builder().withClusterManager(slow(cluster.manager())).buildClustered().await();
    RpcOptions patient =
        RpcOptions.dynamic(0).withTimeout(World.CALL_TIME).withHeartbeatTimeout(World.SILENCE);
    rpc = Rpc.open(host, "worker0", patient).await();
  }

  @AfterEach
  void close() {
    isSlow = false;
    rpc.leave().await();
    host.close().await();
  }

  /// A node whose maps answer no question while they are slow.
  private ClusterManager slow(ClusterManager node) {
    return proxy(
        ClusterManager.class,
        (_, method, arguments) -> {
          if (method.getName().equals("getAsyncMap")) {
            @SuppressWarnings("unchecked")
            var taker = (Completable<AsyncMap<?, ?>>) arguments[1];
            Completable<AsyncMap<?, ?>> slow =
                (map, error) -> taker.complete(map == null ? null : slow(map), error);
            return method.invoke(node, arguments[0], slow);
          }
          return method.invoke(node, arguments);
        });
  }

  private AsyncMap<?, ?> slow(AsyncMap<?, ?> map) {
    return proxy(
        AsyncMap.class,
        (_, method, arguments) ->
            isSlow && QUESTIONS.contains(method.getName())
                ? Promise.promise().future()
                : method.invoke(map, arguments));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void aCallEndsAtItsLimitThoughItsWorkerIsStillLookedUp() {
    isSlow = true;
    Calls hurried = rpc.with(CallOptions.timeout(SHORT_LIMIT));
    for (Future<String> call :
        List.of(
            hurried.rpcAsync("ghost", Probe::where),
            onVirtualThread(() -> hurried.rpcSync("ghost", Probe::where)))) {
      assertThatThrownBy(() -> World.await(call))
          .isInstanceOfSatisfying(
              RpcTimeoutException.class, error -> assertThat(error.mayHaveRun()).isFalse())
          .hasMessage(
              "worker \"ghost\" could not be looked up within 0.05 s; Probe.where has not run");
    }
    assertThat(rpc.debugInfo()).containsEntry("rpc.pending_calls", 0L);
  }

  private static <T> Future<T> onVirtualThread(Callable<T> body) {
    Promise<T> promise = Promise.promise();
    Thread.startVirtualThread(
        () -> {
          try {
            promise.complete(body.call());
          } catch (Exception e) {
            promise.fail(e);
          }
        });
    return promise.future();
  }

  @Test
  void aCallWhoseWorkerIsStillLookedUpEndsWhenItsOwnLeaves() {
    isSlow = true;
    Future<String> call = rpc.rpcAsync("ghost", Probe::where);
    rpc.leave().await();
    assertThatThrownBy(() -> World.await(call))
        .hasMessage("worker0 has left the world, so it cannot call Probe.where");
  }

  @Test
  void aWorkerLeavesThoughTheRegisterDoesNotAnswer() {
    isSlow = true;
    World.await(rpc.leave());
  }

  @Test
  void aWorkerIsAwaitedNoLongerThanTheLimitThoughTheRegisterDoesNotAnswer() {
    isSlow = true;
    assertThatThrownBy(() -> World.await(rpc.awaitWorker("ghost", SHORT_LIMIT)))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("worker \"ghost\" did not join within PT0.05S; known workers: worker0");
  }

  @Test
  void shutdownTakesNoLongerThanItsLimitThoughTheWorldIsNotComplete() {
    Vertx other = new MemoryCluster().start();
    Rpc lonely = Rpc.open(other, "lonely", options(3).withRank(1)).await();
    assertThatThrownBy(() -> World.await(lonely.shutdown(SHORT_LIMIT)))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("shutdown: not all workers joined within PT0.05S");
    other.close().await();
  }

  @Test
  void aCollectiveOfEverybodyTakesNoLongerThanItsLimitThoughTheWorldIsNotComplete() {
    Vertx other = new MemoryCluster().start();
    RpcOptions hurried = options(3).withRank(1).withTimeout(SHORT_LIMIT);
    Rpc lonely = Rpc.open(other, "lonely", hurried).await();
    assertThatThrownBy(() -> World.await(lonely.barrierAsync()))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("barrier: not all workers joined within PT0.05S");
    assertThatThrownBy(() -> World.await(lonely.allGatherAsync(1)))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage("allGather: not all workers joined within PT0.05S");
    lonely.leave().await();
    other.close().await();
  }

  private static RpcOptions options(int size) {
    return RpcOptions.worldSize(size)
        .withRendezvousTimeout(World.CALL_TIME)
        .withHeartbeatTimeout(World.SILENCE);
  }

  @Test
  void fetchingAnObjectThatIsNotMadeTakesNoLongerThanACall() {
    try (MemoryWorld world = new MemoryWorld(2, options -> options.withTimeout(SHORT_LIMIT))) {
      Calls patient = world.worker(0).with(CallOptions.DEFAULT.withoutTimeout());
      for (String owner : List.of("worker0", "worker1")) {
        RRef<Void> never = patient.remote(owner, Probe::never);
        assertThatThrownBy(never::toHere).isInstanceOf(RpcTimeoutException.class);
      }
    }
  }

  private static final Map<String, Function<Limited, Object>> LIMITED =
      Map.of(
          "toHere", limited -> limited.reference().toHere(limited.limit()),
          "own toHere", limited -> limited.rpc().rref(1).toHere(limited.limit()),
          "call",
              limited ->
                  limited
                      .rpc()
                      .with(CallOptions.timeout(limited.limit()))
                      .rpcSync("worker1", Probe::where),
          "awaitWorker",
              limited -> World.await(limited.rpc().awaitWorker("worker1", limited.limit())),
          "allGather",
              limited ->
                  World.await(limited.rpc().allGatherAsync(List.of("worker0"), 1, limited.limit())),
          "barrier",
              limited ->
                  World.await(limited.rpc().barrierAsync(List.of("worker0"), limited.limit())));

  /// The operations that take a limit.
  private record Limited(Rpc rpc, RRef<Probe> reference, Duration limit) {}

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT-9999999999999999S"})
  void aLimitThatIsNotPositiveIsRefused(Duration limit) {
    try (MemoryWorld world = new MemoryWorld(2)) {
      RRef<Probe> reference = world.worker(0).remote("worker1", Probe::new, 1);
      Limited limited = new Limited(world.worker(0), reference, limit);
      LIMITED.forEach(
          (name, method) ->
              assertThatThrownBy(() -> method.apply(limited))
                  .as(name)
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining(limit + " must be positive"));
      assertThatThrownBy(() -> world.worker(0).shutdown(limit))
          .hasMessageContaining(limit + " must be positive");
    }
  }

  @Test
  void aLimitThatNoClockCanCountIsNone() {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    try (MemoryWorld world = new MemoryWorld(2)) {
      RRef<Probe> reference = world.worker(0).remote("worker1", Probe::new, 1);
      Limited limited = new Limited(world.worker(0), reference, forever);
      LIMITED.forEach(
          (name, method) -> {
            if (!name.equals("toHere")) { // a Probe does not travel
              method.apply(limited);
            }
          });
      RRef<Integer> sum = world.worker(0).remote("worker1", Probe::sum, 1, 2);
      assertThat(sum.toHere(forever)).isEqualTo(3);
      Future.join(world.worker(0).shutdown(forever), world.worker(1).shutdown(forever)).await();
    }
  }
}
