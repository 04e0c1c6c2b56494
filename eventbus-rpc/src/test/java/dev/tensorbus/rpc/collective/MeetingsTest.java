// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class MeetingsTest {
  private static final Sender A = new Sender(new WorkerInfo("a", 0), 1);
  private static final Sender B = new Sender(new WorkerInfo("b", 1), 1);

  @Test
  void aMemberThatIsLostWhileAnotherArrivesEndsTheRound() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    Meetings meetings =
        new Meetings(
            life -> {
              boolean isGone = life.equals(B) && asked.getCount() == 0;
              asked.countDown();
              return isGone;
            });
    CompletableFuture<RoundEnd> end =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                long limit = Duration.ofMinutes(1).toNanos();
                return meetings.meet(
                    new CollectiveRound("barrier", List.of(B, A), 1), "a", 1, limit);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
    meetings.workerLost(B); // not before the arrival is noted
    assertThat(end.get(1, TimeUnit.MINUTES).missing()).containsExactly("b");
  }
}
