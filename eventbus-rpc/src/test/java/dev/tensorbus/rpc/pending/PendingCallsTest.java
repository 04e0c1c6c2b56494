// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RemoteFunction.V0;
import dev.tensorbus.rpc.RpcTimeoutException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Counts calls that are noted, and ended, by other threads.
class PendingCallsTest {
  private static final int CALLS = 20_000;
  private static final int LEAVINGS = 300;

  private final Clock clock = new Clock("worker0");
  private final PendingCalls pending = new PendingCalls("worker0", clock);

  @AfterEach
  void stop() {
    clock.stop();
  }

  private static Outbound<?> outbound() {
    Call<Void> call = Call.of((V0) PendingCallsTest::function);
    return new Outbound<>(call, Target.worker("worker1"), null, null, Duration.ofMinutes(1));
  }

  private Outbound<?> add() {
    Outbound<?> outbound = outbound();
    pending.add(outbound);
    return outbound;
  }

  private static void function() {}

  private void end(Outbound<?> call) {
    assertThat(pending.fail(call.number(), new RpcTimeoutException("ended"))).isTrue();
  }

  @Test
  void itCountsWhatWasSentWhenNoCallWaits() {
    assertThat(pending.sentIfNoneWaits()).hasValue(0);
    Outbound<?> first = add();
    Outbound<?> second = add();
    end(first);
    assertThat(pending.sentIfNoneWaits()).isEmpty();
    end(second);
    assertThat(pending.sentIfNoneWaits()).hasValue(2);
  }

  @Test
  void aCallWaitsWhileItsWorkerIsSought() {
    Promise<String> search = Promise.promise();
    Future<String> answer =
        pending.afterSearch(search.future(), found -> add().answer().future().map(found));
    assertThat(pending.sentIfNoneWaits()).isEmpty();
    assertThat(pending.none().isComplete()).isFalse();
    search.complete("worker1");
    assertThat(pending.sentIfNoneWaits()).isEmpty();
    pending.fail(1, new RpcTimeoutException("ended"));
    assertThat(answer.cause()).hasMessage("ended");
    assertThat(pending.sentIfNoneWaits()).hasValue(1);
  }

  @Test
  void aCallThatFindsNoWorkerWaitsNoMore() {
    Promise<String> search = Promise.promise();
    Future<Void> answer = pending.afterSearch(search.future(), found -> Future.succeededFuture());
    Future<Void> none = pending.none();
    assertThat(none.isComplete()).isFalse();
    search.fail("no worker1");
    assertThat(answer.cause()).hasMessage("no worker1");
    assertThat(none.isComplete()).isTrue();
    assertThat(pending.sentIfNoneWaits()).hasValue(0);
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
                    Outbound<?> call = add();
                    for (long before = counts.get(); counts.get() < before + 2; ) {
                      Thread.onSpinWait();
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
    }
    caller.join();
  }

  /// Whoever leaves stops the clock and then fails every call.
  @Test
  void noCallIsLeftBehindThatIsMadeWhileItsWorkerLeaves() {
    for (int leaving = 0; leaving < LEAVINGS; leaving++) {
      Clock its = new Clock("worker0");
      PendingCalls calls = new PendingCalls("worker0", its);
      CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> addUntilRefused(calls));
      while (calls.size() == 0) {
        Thread.onSpinWait();
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
      calls.add(outbound());
    }
  }
}
