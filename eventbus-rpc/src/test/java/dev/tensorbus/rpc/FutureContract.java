// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.RemoteFunction.V1;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The futures of calls, and methods that return one; the subclasses say how the workers are
/// connected.
abstract class FutureContract {
  private World world;
  private Rpc rpc;

  /// Connects this many workers named worker0, worker1, …
  abstract World open(int size);

  @BeforeEach
  void openWorld() {
    world = open(3);
    rpc = world.worker(0);
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  private Future<Integer> two() {
    return rpc.rpcAsync("worker1", Probe::sum, 1, 1);
  }

  private Future<Integer> failure() {
    return rpc.rpcAsync("worker1", Probe::fail, "expected");
  }

  @Test
  void continuationsGetTheValueAndLeaveItAsItWas() {
    Future<Integer> two = two();
    List<Future<Integer>> derived =
        IntStream.range(0, 10).mapToObj(i -> two.map(value -> value + i)).toList();
    for (int i = 0; i < 10; i++) {
      assertThat(derived.get(i).await()).isEqualTo(2 + i);
    }
    assertThat(two.await()).isEqualTo(2);
  }

  @Test
  void continuationsChain() {
    Future<Integer> chain = two();
    for (int link = 0; link < 20; link++) {
      chain = chain.map(value -> value + 1);
    }
    assertThat(chain.await()).isEqualTo(22);
  }

  @Test
  void waitAllGivesTheResultsInTheOrderOfTheCalls() {
    assertThat(rpc.waitAll(List.of(rpc.rpcAsync("worker2", Probe::sum, 2, 3), two())))
        .containsExactly(5, 2);
  }

  @Test
  void waitAllThrowsWhatACallFailedWith() {
    assertThatThrownBy(() -> rpc.waitAll(List.of(two(), failure())))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("expected");
  }

  @Test
  void whatFollowsACallFromAnEventLoopRunsThere() {
    Vertx vertx = Vertx.vertx();
    Promise<Boolean> isSame = Promise.promise();
    vertx.runOnContext(
        ignored -> {
          Thread loop = Thread.currentThread();
          two().map(value -> Thread.currentThread() == loop).onComplete(isSame);
        });
    assertThat(isSame.future().await()).isTrue();
    vertx.close().await();
  }

  @Test
  void whatFollowsACallFromElsewhereMayBlock() {
    assertThat(two().map(value -> rpc.rpcSync("worker1", Probe::sum, value, 1)).await())
        .isEqualTo(3);
  }

  @Test
  void aContinuationThatThrowsFailsOnlyWhatIsMadeOfIt() {
    Future<Integer> two = two();
    Future<Object> wrong =
        two.map(
            value -> {
              throw new ClassCastException("misused");
            });
    assertThatThrownBy(wrong::await).isInstanceOf(ClassCastException.class).hasMessage("misused");
    assertThat(two.await()).isEqualTo(2);
  }

  @Test
  void aContinuationRunsAfterAFailureTooAndMayThrowItsOwn() {
    Future<String> own =
        failure()
            .transform(
                done -> {
                  throw new IllegalStateException("after " + done.cause().getMessage());
                });
    assertThatThrownBy(own::await).hasMessage("after worker1 failed in Probe.fail: expected");
    assertThat(failure().otherwise(7).await()).isEqualTo(7);
  }

  @Test
  void noContinuationIsRefusedAtOnce() {
    assertThatThrownBy(() -> two().map((Function<Integer, Object>) null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void whatIsAddedFirstRunsFirst() {
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    Future<Void> blocked = rpc.rpcAsync("worker1", Probe::block);
    blocked.onComplete(done -> ran.add("first"));
    Future<Boolean> second = blocked.map(value -> ran.add("second"));
    rpc.rpcSync("worker1", Probe::unblock);
    assertThat(second.await()).isTrue();
    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void aPromiseIsKeptOnce() {
    Promise<Integer> promise = Promise.promise();
    promise.complete(1);
    assertThatThrownBy(() -> promise.complete(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Result is already complete");
  }

  @Test
  void aFutureTellsThatItHasEnded() {
    Future<Integer> two = two();
    two.await();
    assertThat(two.isComplete()).isTrue();
    Future<Integer> failure = failure();
    assertThatThrownBy(failure::await);
    assertThat(failure.isComplete()).isTrue();
  }

  @Test
  void allOfSomeFailsWithTheFirstFailureAtOnce() {
    Future<Void> blocked = rpc.rpcAsync("worker2", Probe::block);
    assertThatThrownBy(() -> Future.all(blocked, failure(), failure()).await())
        .hasMessage("worker1 failed in Probe.fail: expected");
    assertThat(blocked.isComplete()).isFalse();
    rpc.rpcSync("worker2", Probe::unblock);
    blocked.await();
  }

  @Test
  void oneFailureAmongManyIsTheFailureOfAll() {
    List<Future<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      calls.add(two());
    }
    calls.add(failure());
    assertThatThrownBy(() -> Future.all(calls).await()).hasMessageContaining("expected");
    assertThatThrownBy(() -> Future.all(Collections.nCopies(10, failure())).await())
        .hasMessageContaining("expected");
  }

  @ParameterizedTest
  @EnumSource
  void aFutureMayNotTravel(CallMode mode) {
    Call<Void> call = Call.of((V1<Object>) Probe::take, Future.succeededFuture(1));
    assertThatThrownBy(() -> mode.call(rpc, "worker1", call))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("cannot send");
  }

  @ParameterizedTest
  @EnumSource
  void aFutureThatTheTypeDoesNotTellOfMayNotTravelBack(CallMode mode) {
    assertThatThrownBy(() -> mode.call(rpc, "worker1", Errands::disguise, 1))
        .hasMessageContaining("cannot send");
  }

  @ParameterizedTest
  @EnumSource
  void anAsyncMethodMayThrowBeforeItHasAFuture(CallMode mode) {
    assertThatThrownBy(() -> mode.call(rpc, "worker1", Errands::failEarly, "early"))
        .isInstanceOf(RemoteException.class)
        .hasMessage(mode.callee(rpc, "worker1") + " failed in Errands.failEarly: early");
  }

  @ParameterizedTest
  @EnumSource
  void anAsyncMethodThatGivesNoFutureIsTold(CallMode mode) {
    assertThatThrownBy(() -> mode.call(rpc, "worker1", Errands::giveNoFuture, 1))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("Errands.giveNoFuture must return a Future, but returned null");
  }

  private static <A, B, R> Call<R> call(RemoteFunction.A2<A, B, R> function, A a, B b) {
    return Call.of(function, a, b);
  }

  @ParameterizedTest
  @EnumSource
  void anAsyncMethodMayGiveTheFutureOfACall(CallMode mode) {
    assertThat(mode.call(rpc, "worker1", call(Errands::askLater, "worker2", 4))).isEqualTo(8);
  }

  @ParameterizedTest
  @EnumSource
  void anAsyncMethodMayGiveAChainOfContinuations(CallMode mode) {
    assertThat(mode.call(rpc, "worker1", call(Errands::askLaterAndChain, "worker2", 4)))
        .isEqualTo(24);
  }

  @ParameterizedTest
  @EnumSource
  void anAsyncMethodMayCallAnotherAndGoOn(CallMode mode) {
    assertThat(mode.call(rpc, "worker1", call(Errands::askTwiceLater, "worker2", 4))).isEqualTo(6);
  }

  @Test
  void asyncMethodsOfAnObjectAreCalledThroughItsReference() {
    RRef<Tally> tally = rpc.remote("worker1", Tally::new, 10);
    assertThat(tally.rpcSync(Tally::countLater, 1)).isEqualTo(11);
    assertThat(tally.rpcAsync(Tally::countLater, 2).await()).isEqualTo(12);
    assertThat(tally.remote(Tally::countLater, 3).toHere()).isEqualTo(13);
    assertThat(tally.rpcSync(Tally::later, 4)).isEqualTo(14);
  }

  @Test
  void manyAsyncResultsStayWhereTheyAre() {
    List<RRef<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      results.add(rpc.remote("worker1", Errands::askLater, "worker2", i));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(results.get(i).toHere()).isEqualTo(2 * i);
    }
  }
}
