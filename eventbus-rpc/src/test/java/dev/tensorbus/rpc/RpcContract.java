// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RemoteFunction.F2;
import dev.tensorbus.rpc.RemoteFunction.V1;
import io.vertx.core.Future;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// G4 to G9: what every way of carrying calls must do; the subclasses say how the workers are
/// connected.
abstract class RpcContract {
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

  @Test
  void everyWorkerKnowsAllWorkersByRank() {
    for (Rpc rpc : List.of(first, second, third)) {
      assertThat(rpc.workers())
          .containsExactly(
              new WorkerInfo("worker0", 0),
              new WorkerInfo("worker1", 1),
              new WorkerInfo("worker2", 2));
      assertThat(rpc.worldSize()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMethodRunsOnTheWorkerThatIsAsked(CallMode mode) {
    assertThat(mode.call(first, "worker1", Probe::where))
        .isEqualTo(mode.callee(first, "worker1") + " for worker0");
  }

  @ParameterizedTest
  @EnumSource
  void operationsOfTensorsNeedNoMark(CallMode mode) {
    Tensor sum = mode.call(first, "worker1", Tensor::add, Tensor.of(1, 2), Tensor.of(3, 4));
    assertThat(sum.values()).containsExactly(4, 6);
  }

  @Test
  void rpcAsyncGivesAFuture() {
    List<Future<Integer>> sums = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sums.add(first.rpcAsync("worker1", Probe::sum, i, i));
    }
    for (int i = 0; i < 200; i++) {
      assertThat(sums.get(i).await()).isEqualTo(2 * i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAsyncMethodsFutureIsItsResult(CallMode mode) {
    assertThat(mode.call(first, "worker1", Probe::later, 20)).isEqualTo(21);
  }

  @ParameterizedTest
  @EnumSource
  void aVoidMethodGivesNull(CallMode mode) {
    assertThat(mode.call(first, "worker1", Probe::nothing)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void collectionsKeepTheirTensors(CallMode mode) {
    Tensor shared = Tensor.of(1, 2);
    Map<String, List<Tensor>> echoed =
        mode.call(first, "worker1", Probe::echo, Map.of("a", List.of(shared, shared)));
    assertThat(echoed.get("a").get(0).values()).containsExactly(1, 2);
    assertThat(echoed.get("a").get(1)).isSameAs(echoed.get("a").get(0));
  }

  @Test
  void operationsTakeAxesAndTypes() {
    Tensor x = Tensor.of(1, 2).reshape(2, 1);
    F2<Tensor, int[], Tensor> over = Tensor::sum;
    Tensor sum = first.rpcSync("worker1", over, x, new int[] {0});
    assertThat(sum.shape()).isEqualTo(Shape.of(1));
    assertThat(sum.values()).containsExactly(3);
    Tensor converted = first.rpcSync("worker1", Tensor::to, x, DType.INT64);
    assertThat(converted.longs()).containsExactly(1, 2);
  }

  @Test
  void tensorsOfEveryTypeArriveAsTheyWere() {
    List<Tensor> sent =
        List.of(
            Tensor.ofBooleans(true, false),
            Tensor.ofLongs(1L << 60, -1),
            Tensor.ofDoubles(0.1, Double.NaN),
            Tensor.of(0.1f, -3).to(DType.BFLOAT16),
            Tensor.zeros(0, 3));
    List<Tensor> echoed = first.rpcSync("worker1", Probe::echo, Map.of("a", sent)).get("a");
    for (int i = 0; i < sent.size(); i++) {
      assertThat(echoed.get(i).shape()).isEqualTo(sent.get(i).shape());
      assertThat(echoed.get(i).heap()).isEqualTo(sent.get(i).heap());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMethodMayCallBackIntoItsCaller(CallMode mode) {
    assertThat(mode.call(first, "worker1", Probe::askBack, "worker0"))
        .isEqualTo("worker0 for " + mode.callee(first, "worker1"));
  }

  @Test
  void blockedCallsDoNotHoldUpOthers() {
    List<Future<Void>> blocked = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      blocked.add(first.rpcAsync("worker1", Probe::block));
    }
    assertThat(first.rpcSync("worker1", Probe::sum, 1, 2)).isEqualTo(3);
    first.rpcSync("worker1", Probe::unblock);
    Future.all(blocked).await();
  }

  @ParameterizedTest
  @EnumSource
  void anythingThrownReachesTheCaller(CallMode mode) {
    assertThatThrownBy(() -> mode.call(first, "worker1", Probe::fail, "bad luck"))
        .isInstanceOf(RemoteException.class)
        .hasMessage(mode.callee(first, "worker1") + " failed in Probe.fail: bad luck")
        .satisfies(
            thrown -> {
              RemoteException remote = (RemoteException) thrown;
              assertThat(remote.remoteType()).isEqualTo("java.lang.IllegalArgumentException");
              assertThat(remote.remoteStack()).contains("Probe.fail");
            });
  }

  @ParameterizedTest
  @EnumSource
  void aMethodWithoutRemoteIsRefused(CallMode mode) {
    assertThatThrownBy(() -> mode.call(first, "worker1", Probe::secret))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("Probe.secret is not marked @Remote; add the annotation");
  }

  @ParameterizedTest
  @EnumSource
  void aLambdaIsRefusedAtTheCaller(CallMode mode) {
    RemoteFunction.F0<Integer> lambda = () -> 1;
    assertThatThrownBy(() -> mode.call(first, "worker1", lambda))
        .hasMessage(
            "a remote call needs a method reference such as Tensor::add; this is a lambda, which"
                + " has no stable name");
  }

  @Test
  void aBoundReferenceIsRefusedAtTheCaller() {
    Probe probe = new Probe(1);
    assertThatThrownBy(() -> first.rpcSync("worker1", probe::plus, 1))
        .hasMessageContaining("cannot carry the object of a bound reference; write Probe::plus");
  }

  @ParameterizedTest
  @EnumSource
  void anArgumentThatMayNotTravelIsRefusedAtTheCaller(CallMode mode) {
    assertThatThrownBy(
            () ->
                mode.call(
                    first, "worker1", Call.of((V1<Object>) Probe::take, new StringReader("x"))))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("cannot send");
  }

  @Test
  void anUnknownWorkerIsNamedWithTheKnownOnes() {
    assertThatThrownBy(() -> first.rpcSync("worker9", Probe::where))
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("no worker \"worker9\"; known workers: worker0, worker1, worker2");
  }

  @ParameterizedTest
  @EnumSource
  void aCallThatIsNotAnsweredInTimeFails(CallMode mode) {
    Call<Void> call =
        Call.<Void>of((RemoteFunction.V0) Probe::block)
            .with(CallOptions.timeout(Duration.ofMillis(100)));
    assertThatThrownBy(() -> mode.call(first, "worker1", call))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessage(mode.callee(first, "worker1") + " did not answer Probe.block within 0.1 s");
    first.rpcSync(mode.callee(first, "worker1"), Probe::unblock);
  }

  @Test
  void aNestedCallHasNoMoreTimeThanTheCallAroundIt() {
    Calls hurried = first.with(CallOptions.timeout(Duration.ofSeconds(1)));
    assertThatThrownBy(() -> hurried.rpcSync("worker1", Probe::waitFor, "worker2"))
        .isInstanceOf(RpcTimeoutException.class);
    // Its own time is up, or it hears first that its caller's is.
    assertThat(first.rpcSync("worker1", Probe::nestedError))
        .isIn("RpcTimeoutException", "CancellationException");
    first.rpcSync("worker2", Probe::unblock);
  }

  @Test
  void remoteLeavesTheObjectThereAndCallsReachIt() {
    RRef<Probe> probe = first.remote("worker1", Probe::new, 40);
    assertThat(probe.owner()).isEqualTo(new WorkerInfo("worker1", 1));
    assertThat(probe.rpcSync(Probe::plus, 2)).isEqualTo(42);
    assertThat(probe.rpcAsync(Probe::plus, 3).await()).isEqualTo(43);
    assertThat(probe.remote(Probe::plus, 4).toHere()).isEqualTo(44);
  }

  @Test
  void remoteNeverThrowsButItsUseDoes() {
    RRef<Integer> failed = first.remote("worker1", Probe::fail, "no");
    assertThatThrownBy(failed::toHere).hasMessage("worker1 failed in Probe.fail: no");
  }

  @Test
  void remoteToSelfOwnsTheObjectHere() {
    RRef<Probe> probe = first.remote("worker0", Probe::new, 1);
    assertThat(probe.isOwner()).isTrue();
    assertThat(probe.rpcSync(Probe::plus, 1)).isEqualTo(2);
    assertThat(probe.localValue().plus(2)).isEqualTo(3);
  }

  @Test
  void localValueIsForTheOwnerOnly() {
    RRef<Tensor> zeros = first.remote("worker1", Probe::zeros);
    assertThatThrownBy(zeros::localValue)
        .hasMessageContaining("owned by worker1, not by worker0; call it on the owner");
  }

  @ParameterizedTest
  @EnumSource
  void aReferenceTravelsToAThirdWorkerAndWorksThere(CallMode mode) {
    RRef<Probe> probe = first.remote("worker1", Probe::new, 5);
    assertThat(mode.call(first, "worker2", Probe::plusThrough, probe, 6)).isEqualTo(11);
  }

  @ParameterizedTest
  @EnumSource
  void aReferenceToAValueOfMineWorksElsewhere(CallMode mode) {
    RRef<Tensor> mine = first.rref(Tensor.of(1, 2));
    assertThat(mode.call(first, "worker1", Probe::fetch, mine).values()).containsExactly(1, 2);
  }

  @Test
  void aReferenceComesHomeAsItsOwners() {
    RRef<Probe> probe = first.remote("worker1", Probe::new, 5);
    assertThat(first.rpcSync("worker1", Probe::isOwned, probe)).isTrue();
  }

  @Test
  void theOwnerForgetsTheObjectWhenItsLastUserIsGone() {
    RRef<Probe> probe = first.remote("worker1", Probe::new, 5);
    RRef<Probe> copy = first.rpcSync("worker2", Probe::keep, probe);
    probe.close();
    assertThat(copy.rpcSync(Probe::plus, 1)).isEqualTo(6);
    copy.close();
    assertThatThrownBy(() -> copy.rpcSync(Probe::plus, 1)).hasMessageContaining("is closed");
    assertThatThrownBy(() -> first.rpcSync("worker2", Probe::isOwned, copy))
        .hasMessageContaining("is closed");
    first.rpcSync("worker2", Probe::drop);
    World.eventually(() -> second.debugInfo().get("rref.owned") == 0);
  }

  @Test
  void aCallThatCannotBeSentKeepsNoReference() {
    RRef<Probe> probe = first.remote("worker1", Probe::new, 5);
    probe.created().await();
    assertThatThrownBy(() -> probe.rpcAsync(Probe::swallow, new StringReader("x")))
        .isInstanceOf(WireException.class);
    assertThatThrownBy(() -> probe.remote(Probe::swallow, new StringReader("x")))
        .isInstanceOf(WireException.class);
    probe.close();
    World.eventually(() -> second.debugInfo().get("rref.owned") == 0);
  }

  @Test
  void sharedObjectsBelongToOneWorkerEach() {
    assertThat(first.rpcSync("worker1", Probe::count)).isEqualTo(1);
    assertThat(first.rpcSync("worker1", Probe::count)).isEqualTo(2);
    assertThat(first.rpcSync("worker2", Probe::count)).isEqualTo(1);
  }

  @Test
  void aSecondWorkerOfARankIsRefused() {
    assertThatThrownBy(() -> world.join("another", 1, 3))
        .isInstanceOf(RendezvousException.class)
        .hasMessageStartingWith("rank 1 is not unique: worker \"worker1\" of rank 1 has it");
  }

  @Test
  void aSecondWorkerOfANameIsRefused() {
    assertThatThrownBy(() -> world.join("worker1", 3, 4))
        .isInstanceOf(RendezvousException.class)
        .hasMessageStartingWith("name \"worker1\" is not unique");
  }

  @Test
  void aWorkerOfAnotherWorldSizeIsRefusedAndDisturbsNobody() {
    Rpc stranger = world.join("stranger", 3, 4);
    assertThatThrownBy(() -> stranger.ready().await())
        .isInstanceOf(RendezvousException.class)
        .hasMessage(
            "worker \"worker0\" was started for a world of 3, but this worker for a world of 4; use"
                + " the same world size for all workers");
    stranger.leave().await();
    assertThat(first.workers()).hasSize(3);
  }

  @Test
  void pendingCallsFailWhenTheirWorkerLeaves() {
    Future<Void> blocked = first.rpcAsync("worker1", Probe::block);
    first.rpcSync("worker1", Probe::awaitBlocked);
    List<WorkerInfo> lost = new ArrayList<>();
    CountDownLatch told = new CountDownLatch(1);
    first.onWorkerLost(
        worker -> {
          lost.add(worker);
          told.countDown();
        });
    second.leave().await();
    assertThatThrownBy(blocked::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("worker1 left while worker0 waited for Probe.block; the method may have run");
    assertThatThrownBy(() -> first.rpcSync("worker1", Probe::where))
        .isInstanceOf(NoSuchWorkerException.class);
    World.await(told);
    assertThat(lost).containsExactly(new WorkerInfo("worker1", 1));
  }

  @Test
  void shutdownWaitsForChainsThatNobodyWaitsFor() {
    first.rpcAsync("worker1", Probe::chain, 20); // which ends at worker0
    Future.all(first.shutdown(), second.shutdown(), third.shutdown()).await();
    assertThat(Probe.chainsEndedAt(first)).isEqualTo(1);
  }

  @Test
  void aCallAfterLeavingIsRefused() {
    third.leave().await();
    assertThatThrownBy(() -> third.rpcSync("worker0", Probe::where))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("worker2 has left the world, so it cannot call Probe.where");
  }

  @Test
  void shutdownEndsWithoutAWorkerThatHasLeft() {
    third.leave().await();
    Future.all(first.shutdown(), second.shutdown()).await();
  }

  @Test
  void rpcSyncOnAnEventLoopIsRefusedWithTheCure() {
    Future<String> result = world.onEventLoop(() -> first.rpcSync("worker1", Probe::where));
    assertThatThrownBy(result::await)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call rpcAsync or another …Async method here");
  }

  @Test
  void currentIsForRemoteCallsOnly() {
    assertThatThrownBy(Rpc::current).hasMessageContaining("use the Rpc that Rpc.init returned");
  }

  @ParameterizedTest
  @EnumSource
  void aLargeTensorArrivesWhole(CallMode mode) {
    float[] values = new float[3_000_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 1000;
    }
    Tensor large = Tensor.of(values);
    assertThat(mode.call(first, "worker1", Tensor::relu, large).values()).isEqualTo(values);
  }
}
