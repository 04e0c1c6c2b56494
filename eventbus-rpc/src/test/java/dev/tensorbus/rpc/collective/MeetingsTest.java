// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.wire.CollectiveRound;
import dev.tensorbus.rpc.wire.RoundEnd;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
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
    CollectiveRound round = new CollectiveRound("barrier", List.of(B, A), 1);
    CompletableFuture<RoundEnd> end =
        CompletableFuture.supplyAsync(() -> meetings.arrive(round, A.info(), 1))
            .thenCompose(Future::toCompletionStage);
    assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
    meetings.workerLost(B); // not before the arrival is noted
    assertThat(end.get(1, TimeUnit.MINUTES).missing()).containsExactly("b");
  }

  @Test
  void aMemberThatIsLateIsToldHowItsRoundEnded() {
    Meetings meetings = new Meetings(life -> false);
    CollectiveRound round = new CollectiveRound("barrier", List.of(A, B), 1);
    Future<RoundEnd> waiting = meetings.arrive(round, A.info(), 1);
    meetings.expire(round, 7);
    assertThat(waiting.result()).isEqualTo(RoundEnd.late(List.of("b"), 7));
    assertThat(meetings.arrive(round, B.info(), 2).result()).isEqualTo(waiting.result());
    CollectiveRound next = new CollectiveRound("barrier", List.of(A, B), 2);
    Future<RoundEnd> first = meetings.arrive(next, B.info(), 4);
    meetings.arrive(next, A.info(), 3);
    meetings.expire(next, 7); // over already
    assertThat(first.result().values()).isEqualTo(Map.of("a", 3, "b", 4));
  }
}
