// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.testing.ForkedJvm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G19: workers that are paused for less than the heartbeat time-out, or all at once, and one that
/// is killed right after that. Nobody else is evicted.
@Tag("long")
class PauseIT {
  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final int WORKERS = 3;

  private List<WorkerConsole> world;

  @BeforeEach
  void openWorld() {
    String port = Integer.toString(FreePort.find());
    world =
        IntStream.range(0, WORKERS)
            .mapToObj(
                rank ->
                    ForkedJvm.startPiped(
                        CommandWorker.class,
                        "127.0.0.1",
                        port,
                        Integer.toString(rank),
                        Integer.toString(WORKERS),
                        "",
                        "",
                        Long.toString(SILENCE.toSeconds())))
            .map(WorkerConsole::new)
            .toList();
    IntStream.range(0, WORKERS).forEach(rank -> assertThat(run(rank, "ready")).isEqualTo("ok "));
  }

  @AfterEach
  void closeWorld() {
    world.forEach(worker -> worker.jvm().kill());
  }

  private String run(int rank, String command) {
    return world
        .get(rank)
        .ask(command)
        .orTimeout(World.PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  private static void pause(List<WorkerConsole> workers, Duration time)
      throws InterruptedException {
    workers.forEach(worker -> worker.jvm().freeze());
    boolean _ = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
    workers.forEach(worker -> worker.jvm().thaw());
  }

  private void requireThatTheOthersGoOnWithout(int killed) {
    world.get(killed).jvm().kill();
    List<Integer> others =
        IntStream.range(0, WORKERS).filter(rank -> rank != killed).boxed().toList();
    for (int rank : others) {
      World.eventually(() -> !run(rank, "workers").contains("worker" + killed));
    }
    for (int rank : others) {
      int other = others.getFirst() + others.getLast() - rank;
      assertThat(run(rank, "call worker" + other))
          .isEqualTo("ok worker" + other + " for worker" + rank);
    }
    List<CompletableFuture<String>> ends =
        others.stream().map(rank -> world.get(rank).ask("shutdown")).toList();
    assertThat(ends).allSatisfy(end -> assertThat(end.join()).isEqualTo("ok "));
  }

  @Test
  void aPauseOfAllAndADeathEvictNobody() throws InterruptedException {
    pause(world, SILENCE.minusSeconds(1));
    requireThatTheOthersGoOnWithout(2);
  }

  @Test
  void aPauseOfAllForLongerThanTheTimeoutAndADeathEvictNobody() throws InterruptedException {
    pause(world, SILENCE.plusSeconds(3));
    requireThatTheOthersGoOnWithout(1);
  }

  @Test
  void aPauseOfRankZeroAndADeathEvictNobody() throws InterruptedException {
    // The last heartbeat may have been sent a second earlier, and a busy machine thaws it late.
    pause(world.subList(0, 1), SILENCE.minusSeconds(4));
    requireThatTheOthersGoOnWithout(2);
  }
}
