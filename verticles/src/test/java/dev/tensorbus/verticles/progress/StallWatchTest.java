// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.observe.status.AwaitedCall;
import dev.tensorbus.rpc.observe.status.PeerStatus;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StallWatchTest {
  private final List<String> lines = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final StallWatch watch = new StallWatch(lines::add, "look there", nanos::get);

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /// Does steps of so many milliseconds.
  private void steps(int count, long millis) {
    for (int i = 0; i < count; i++) {
      pass(millis);
      watch.step(1, 0);
    }
  }

  private void lookAfter(long millis, WorkerStatus status) {
    pass(millis);
    watch.look(() -> status);
  }

  private static WorkerStatus computing() {
    return status(List.of(), null);
  }

  private static WorkerStatus waiting(long forMs, @Nullable Long lastHeardMs) {
    AwaitedCall call = new AwaitedCall("trainer3", "Server.update", 7, forMs, null, null);
    return status(List.of(call), lastHeardMs);
  }

  private static WorkerStatus status(List<AwaitedCall> calls, @Nullable Long lastHeardMs) {
    return new WorkerStatus(
        "trainer1",
        1,
        "127.0.0.1",
        1,
        0,
        Map.of(),
        Map.of(),
        List.of(new PeerStatus("trainer3", "bus", lastHeardMs, 0)),
        calls,
        List.of(),
        List.of());
  }

  @Test
  void aStallIsToldOnceWithItsReasonAndItsEnd() {
    watch.start(1000);
    steps(811, 100);
    lookAfter(900, waiting(900, 0L));
    assertThat(lines).isEmpty();
    lookAfter(2200, waiting(3100, 2900L));
    lookAfter(1000, waiting(4100, 3900L));
    assertThat(lines)
        .containsExactly(
            "step 812 has waited 3.1 s for trainer3 (Server.update), last heard 2.9 s ago; look"
                + " there");
    steps(1, 100);
    assertThat(lines).hasSize(2).last().isEqualTo("step 812 finished after 4.2 s");
    steps(1, 100);
    lookAfter(5000, waiting(5000, null));
    assertThat(lines)
        .hasSize(3)
        .last()
        .isEqualTo("step 814 has waited 5.0 s for trainer3 (Server.update); look there");
  }

  @Test
  void aWorkerDoesNotWaitForItself() {
    watch.start(100);
    steps(10, 100);
    AwaitedCall call = new AwaitedCall("trainer1", "Collectives.join", 7, 3000, null, null);
    lookAfter(3000, status(List.of(call), null));
    assertThat(lines).containsExactly("step 11 has waited 3.0 s in Collectives.join; look there");
  }

  @Test
  void tenTimesTheMedianCountsWhereThatIsLongerThanASecond() {
    watch.start(100);
    steps(10, 500);
    lookAfter(4900, waiting(4900, 0L));
    assertThat(lines).isEmpty();
    lookAfter(100, waiting(5000, 0L));
    assertThat(lines).hasSize(1);
  }

  @Test
  void whoComputesWaitsForNobody() {
    watch.start(100);
    steps(10, 10);
    lookAfter(60_000, computing());
    lookAfter(1, waiting(100, 0L));
    assertThat(lines).isEmpty();
  }

  @Test
  void beforeTheFirstStepsAndAfterTheLastNothingIsAStall() {
    watch.start(10);
    lookAfter(60_000, waiting(60_000, 0L));
    steps(10, 10);
    lookAfter(60_000, waiting(60_000, 0L));
    assertThat(lines).isEmpty();
  }
}
