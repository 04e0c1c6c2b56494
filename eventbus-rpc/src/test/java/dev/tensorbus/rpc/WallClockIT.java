// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hazelcast.internal.util.Clock;
import dev.tensorbus.rpc.process.ProcessHosts;
import dev.tensorbus.rpc.testing.WallClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// G12: no wall clock decides who is dead. Three workers live in JVMs of their own, whose wall
/// clocks are stepped while they call each other.
@Tag("long")
class WallClockIT {
  private static final int WORKERS = 3;
  private static final List<Integer> STEPS = List.of(-3, 3, 60, 3600);

  /// More than a process is kept from a core, and short enough to be waited for.
  private static final Duration SILENCE = Duration.ofSeconds(15);

  @TempDir private Path folder;

  private List<WallClock> clocks;
  private ProcessHosts hosts;
  private World world;

  @BeforeEach
  void openWorld() {
    assumeTrue(WallClock.isAvailable(), "needs Linux and a C compiler, cc");
    clocks = Stream.generate(() -> WallClock.in(folder)).limit(WORKERS).toList();
    hosts = new ProcessHosts(WORKERS, false, SILENCE, clocks);
    world = new World(World.PATIENCE, hosts.hosts().subList(1, 1 + WORKERS));
  }

  @AfterEach
  void closeWorld() {
    world.close();
    hosts.close();
  }

  @Remote
  static long wallMillis() {
    return System.currentTimeMillis();
  }

  @Remote
  static long clusterMillis() {
    return Clock.currentTimeMillis();
  }

  @Test
  void theClustersClockIsNotSetWithTheWallClockOfAnyRank() {
    for (int rank = 0; rank < WORKERS; rank++) {
      String stepped = "worker" + rank;
      Rpc observer = world.worker((rank + 1) % WORKERS);
      for (int seconds : STEPS) {
        long start = System.nanoTime();
        long wall = observer.rpcSync(stepped, WallClockIT::wallMillis);
        long cluster = observer.rpcSync(stepped, WallClockIT::clusterMillis);
        clocks.get(rank).step(Duration.ofSeconds(seconds));
        wall -= observer.rpcSync(stepped, WallClockIT::wallMillis);
        cluster -= observer.rpcSync(stepped, WallClockIT::clusterMillis);
        long took = Duration.ofNanos(System.nanoTime() - start).toMillis() + 1;
        assertThat(-wall).isCloseTo(seconds * 1000L, within(took));
        assertThat(-cluster).isBetween(0L, took);
      }
    }
  }

  @Test
  void nobodyIsTakenForDeadWhoseWallClockIsSet() {
    clocks.get(0).step(Duration.ofSeconds(-60)); // rank 0 is Hazelcast's master
    clocks.get(1).step(Duration.ofSeconds(60));
    clocks.get(2).step(Duration.ofHours(1));
    requireEveryoneLives(SILENCE.multipliedBy(2));
  }

  /// The step is to the time-out as 3 s to 5 s, which once evicted healthy workers.
  @Test
  void nobodyIsTakenForDeadByAStepThatIsShorterThanTheTimeout() {
    Duration step = SILENCE.multipliedBy(3).dividedBy(5);
    for (Duration change : List.of(step, step.negated())) {
      clocks.get(0).step(change);
      clocks.get(1).step(change.negated());
      requireEveryoneLives(SILENCE.multipliedBy(2));
    }
  }

  private void requireEveryoneLives(Duration length) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < length.toNanos()) {
      everyoneCallsEveryone();
    }
    IntStream.range(0, WORKERS)
        .forEach(rank -> assertThat(world.worker(rank).workers()).hasSize(WORKERS));
  }

  private void everyoneCallsEveryone() {
    for (int from = 0; from < WORKERS; from++) {
      for (int to = 0; to < WORKERS; to++) {
        assertThat(world.worker(from).rpcSync("worker" + to, Probe::sum, from, to))
            .isEqualTo(from + to);
      }
    }
  }
}
