// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G1 to G5 and G11 under faults. `-Dseed=N` runs one schedule, `-Dschedules=N` as many as that.
@Tag("long")
class FaultScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("schedules", 1000);

  /// A schedule mostly waits, so many run side by side.
  private static final int LANES = 24;

  private static final int WORKERS = 4;

  private final Queue<Long> seeds = new ConcurrentLinkedQueue<>(seeds());
  private final Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();

  private static List<Long> seeds() {
    Long seed = Long.getLong("seed");
    return seed == null ? LongStream.range(0, SCHEDULES).boxed().toList() : List.of(seed);
  }

  @Test
  void theGuaranteesHoldUnderEverySchedule() throws InterruptedException, ExecutionException {
    List<Future<?>> lanes = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < Math.min(LANES, seeds.size()); i++) {
        lanes.add(threads.submit(this::runLane));
      }
    }
    for (Future<?> lane : lanes) {
      lane.get();
    }
    assertThat(failures).as("guarantees broken").isEmpty();
  }

  private void runLane() {
    MemoryCluster cluster = new MemoryCluster();
    VertxOptions oneThread = new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(2);
    List<Vertx> hosts = Stream.generate(() -> cluster.start(oneThread)).limit(WORKERS).toList();
    while (!seeds.isEmpty()) {
      runUntilOneFails(hosts);
    }
    hosts.forEach(vertx -> vertx.close().await());
  }

  /// Runs schedules in one world, which a failed one may leave in any state.
  private void runUntilOneFails(List<Vertx> hosts) {
    try (World world = new World(Schedule.TIMEOUT, hosts.stream().map(World.Host::on).toList())) {
      for (Long seed = seeds.poll(); seed != null; seed = seeds.poll()) {
        try (Schedule schedule = new Schedule(seed, world, hosts)) {
          schedule.run();
        }
      }
    } catch (AssertionError e) {
      failures.add(e);
    }
  }
}
