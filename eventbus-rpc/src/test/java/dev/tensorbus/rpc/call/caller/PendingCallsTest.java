// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.EvictedException;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RemoteFunction.V0;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.SentAttachments;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Counts calls that are noted, and ended, by other threads.
class PendingCallsTest {
  private static final int CALLS = 2_000;
  private static final int LEAVINGS = 300;

  private final Clock clock = Platform.ofSystem("worker0").clock();
  private final Set<Sender> gone = new HashSet<>();
  private final PendingCalls pending =
      new PendingCalls("worker0", clock, gone::contains, this::requireWorld);

  private boolean isOut;

  @AfterEach
  void stop() {
    clock.stop();
  }

  private void requireWorld() {
    if (isOut) {
      throw new EvictedException("out", false);
    }
  }

  private static Sender sender(int rank) {
    return new Sender(new WorkerInfo("worker" + rank, rank), rank);
  }

  private static PendingCall<?> newCall() {
    return newCall(1);
  }

  private static PendingCall<?> newCall(int rank) {
    Call<Void> call = Call.of((V0) PendingCallsTest::function);
    Target target = Target.life(sender(rank));
    PendingCall<?> pendingCall =
        new PendingCall<>(
            call, target, SentAttachments.NONE, Duration.ofMinutes(1), NanoClock.SYSTEM);
    pendingCall.to(sender(rank), "node");
    return pendingCall;
  }

  private PendingCall<?> add() {
    return add(1);
  }

  private PendingCall<?> add(int rank) {
    PendingCall<?> pendingCall = newCall(rank);
    pending.add(pendingCall);
    return pendingCall;
  }

  private static void function() {}

  private void end(PendingCall<?> call) {
    assertThat(pending.fail(call, new RpcTimeoutException("ended"))).isTrue();
  }

  @Test
  void itCountsWhatWasSentWhenNoCallWaits() {
    assertThat(pending.sentIfNoneWaits()).hasValue(0);
    PendingCall<?> first = add();
    PendingCall<?> second = add();
    end(first);
    assertThat(pending.sentIfNoneWaits()).isEmpty();
    end(second);
    assertThat(pending.sentIfNoneWaits()).hasValue(2);
  }

  @Test
  void aCallWaitsWhileItsWorkerIsSought() {
    Promise<String> search = Promise.promise();
    Future<String> answer =
        pending.afterSearch(
            newCall(), search.future(), found -> add().answer().future().map(found));
    assertThat(pending.sentIfNoneWaits()).isEmpty();
    assertThat(pending.none().isComplete()).isFalse();
    search.complete("worker1");
    assertThat(pending.sentIfNoneWaits()).isEmpty();
    end(Objects.requireNonNull(pending.get(1, 1)));
    assertThat(answer.cause()).hasMessage("ended");
    assertThat(pending.sentIfNoneWaits()).hasValue(1);
  }

  @Test
  void aCallThatFindsNoWorkerWaitsNoMore() {
    Promise<String> search = Promise.promise();
    Future<Void> answer =
        pending.afterSearch(newCall(), search.future(), found -> Future.succeededFuture());
    Future<Void> none = pending.none();
    assertThat(none.isComplete()).isFalse();
    search.fail("no worker1");
    assertThat(answer.cause()).hasMessage("no worker1");
    assertThat(none.isComplete()).isTrue();
    assertThat(pending.sentIfNoneWaits()).hasValue(0);
  }

  @Test
  void callsToEachWorkerAreNumberedForThemselves() {
    assertThat(add(1).number()).isEqualTo(1);
    assertThat(add(2).number()).isEqualTo(1);
    assertThat(add(2).number()).isEqualTo(2);
    assertThat(add(1).number()).isEqualTo(2);
  }

  @Test
  void eachCallTellsTheLeastNumberThatStillWaits() {
    PendingCall<?> first = add();
    PendingCall<?> second = add();
    assertThat(add().firstIncomplete()).isEqualTo(1);
    end(second);
    assertThat(add().firstIncomplete()).isEqualTo(1);
    end(first);
    assertThat(add().firstIncomplete()).isEqualTo(3);
  }

  @Test
  void theFirstOfAllIsTheLeastThatWaits() {
    assertThat(add().firstIncomplete()).isEqualTo(1);
  }

  @Test
  void aCallIsFoundByTheIncarnationThatWasAskedOnly() {
    PendingCall<?> call = add(1);
    assertThat(pending.get(1, call.number())).isSameAs(call);
    assertThat(pending.get(2, call.number())).isNull();
  }

  @Test
  void aWorkerThatIsGoneEndsItsCallsAndTakesNoMore() {
    PendingCall<?> waits = add(1);
    PendingCall<?> other = add(2);
    gone.add(sender(1));
    pending.workerLost(sender(1), call -> new RpcTimeoutException("gone"));
    assertThat(waits.answer().future().cause()).hasMessage("gone");
    assertThat(pending.contains(other)).isTrue();
    assertThat(add(1).answer().future().cause())
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessage("worker1 left before worker0 called PendingCallsTest.function");
    assertThat(pending.size()).isEqualTo(1);
  }

  @Test
  void whoIsOutOfItsWorldMakesNoCallThatCanHaveRun() {
    isOut = true;
    assertThatThrownBy(this::add)
        .isInstanceOfSatisfying(EvictedException.class, e -> assertThat(e.mayHaveRun()).isFalse());
    Future<String> answer =
        pending.afterSearch(
            newCall(), Promise.promise().future(), found -> Future.succeededFuture(""));
    assertThat(answer.cause()).isInstanceOf(EvictedException.class);
    assertThat(pending.size()).isZero();
  }

  @Test
  void aCallThatCannotBeNotedDoesNotWait() {
    Runnable noRoom =
        () -> {
          throw new InternalError("no room");
        };
    for (int fails = 1; fails <= 2; fails++) {
      AtomicInteger asked = new AtomicInteger();
      int failing = fails;
      Runnable runOut = () -> runIf(asked.incrementAndGet() == failing, noRoom);
      requireLeavesNothing(new PendingCalls("worker0", clock, life -> false, runOut));
    }
    requireLeavesNothing(
        new PendingCalls(
            "worker0",
            clock,
            life -> {
              throw new InternalError("no room");
            },
            () -> {}));
  }

  private static void runIf(boolean condition, Runnable body) {
    if (condition) {
      body.run();
    }
  }

  private static void requireLeavesNothing(PendingCalls calls) {
    assertThatThrownBy(() -> calls.add(newCall())).isInstanceOf(InternalError.class);
    assertThat(calls.size()).isZero();
    assertThat(calls.none().isComplete()).isTrue();
  }

  @Test
  void whatWaitsWhenTheWorldIsLostEndsAlsoIfItsWorkerIsStillSought() {
    PendingCall<?> waits = add();
    Future<String> sought =
        pending.afterSearch(
            newCall(), Promise.promise().future(), found -> Future.succeededFuture(""));
    isOut = true;
    pending.end(mayHaveRun -> new EvictedException("may have run: " + mayHaveRun, mayHaveRun));
    assertThat(waits.answer().future().cause()).hasMessage("may have run: true");
    assertThat(sought.cause()).hasMessage("may have run: false");
    assertThat(pending.size()).isZero();
  }

  /// Each call waits until somebody has counted beside it.
  @Test
  void itNeverCountsACallThatWaits() throws InterruptedException {
    AtomicLong counts = new AtomicLong();
    AtomicLong ended = new AtomicLong();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < CALLS; i++) {
                    PendingCall<?> call = add();
                    for (long before = counts.get(); counts.get() < before + 2; ) {
                      Thread.yield();
                    }
                    ended.incrementAndGet();
                    end(call);
                  }
                });
    long seen = 0;
    while (seen < CALLS) {
      OptionalLong sent = pending.sentIfNoneWaits();
      if (sent.isPresent()) {
        seen = sent.getAsLong();
        assertThat(seen).isLessThanOrEqualTo(ended.get());
      }
      counts.incrementAndGet();
      Thread.yield();
    }
    caller.join();
  }

  /// Whoever leaves stops the clock and then fails every call.
  @Test
  void noCallIsLeftBehindThatIsMadeWhileItsWorkerLeaves() {
    for (int leaving = 0; leaving < LEAVINGS; leaving++) {
      Clock its = Platform.ofSystem("worker0").clock();
      PendingCalls calls = new PendingCalls("worker0", its, life -> false, () -> {});
      CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> addUntilRefused(calls));
      while (calls.size() == 0) {
        Thread.yield();
      }
      its.stop();
      calls.failEach(call -> new RpcTimeoutException("left"));
      assertThatThrownBy(caller::join)
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has left the world");
      assertThat(calls.size()).isZero();
    }
  }

  private static void addUntilRefused(PendingCalls calls) {
    while (true) {
      calls.add(newCall());
    }
  }

  /// The departure is handled between the check of the worker and the registration of the call.
  @Test
  void aCallThatIsMadeWhileItsWorkerLeavesFails() throws InterruptedException {
    AtomicReference<PendingCalls> table = new AtomicReference<>();
    RuntimeException left = new NoSuchWorkerException("worker1", "left", true);
    Thread departure = new Thread(() -> table.get().workerLost(sender(1), call -> left));
    Predicate<Sender> isGone =
        life -> {
          departure.start();
          while (departure.getState() != State.BLOCKED && departure.isAlive()) {
            Thread.onSpinWait();
          }
          return false;
        };
    table.set(new PendingCalls("worker0", clock, isGone, () -> {}));
    PendingCall<?> call = newCall();
    table.get().add(call);
    departure.join();
    // The departure fails the call, or the call meets the association that the departure has
    // closed.
    assertThat(call.answer().future().cause()).isInstanceOf(NoSuchWorkerException.class);
    assertThat(table.get().size()).isZero();
  }
}
