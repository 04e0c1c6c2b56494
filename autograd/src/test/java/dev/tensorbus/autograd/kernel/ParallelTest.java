// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ParallelTest {
  private final Parallel parallel = new Parallel(4);

  @Test
  void everyTaskRunsOnce() {
    AtomicIntegerArray runs = new AtomicIntegerArray(1000);
    parallel.run(1000, runs::incrementAndGet);
    assertThat(IntStream.range(0, 1000).map(runs::get)).containsOnly(1);
  }

  @Test
  void noTasksAreDoneAtOnce() {
    parallel.run(
        0,
        task -> {
          throw new AssertionError("task " + task);
        });
  }

  @Test
  void eachThreadGetsAsManyParts() {
    assertThat(parallel.parts(32, 10)).isEqualTo(4);
    assertThat(parallel.parts(32, 6)).isEqualTo(8);
    assertThat(parallel.parts(3, 10)).isEqualTo(3);
    assertThat(parallel.parts(0, 10)).isZero();
  }

  @Test
  void partsTogetherAreAllAndNoneIsMuchLarger() {
    assertThat(IntStream.rangeClosed(0, 6).map(part -> Parallel.start(32, part, 6)))
        .containsExactly(0, 5, 10, 16, 21, 26, 32);
  }

  @Test
  void manyVirtualThreadsMayCallAtOnceAndFromWithinTasks() throws Exception {
    AtomicIntegerArray runs = new AtomicIntegerArray(100);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int caller = 0; caller < 50; caller++) {
        var _ =
            callers.submit(
                () ->
                    parallel.run(10, i -> parallel.run(10, j -> runs.incrementAndGet(10 * i + j))));
      }
    }
    assertThat(IntStream.range(0, 100).map(runs::get)).containsOnly(50);
  }

  @Test
  void aFailureReachesTheCallerAfterAllOtherTasks() {
    AtomicIntegerArray runs = new AtomicIntegerArray(100);
    assertThatThrownBy(
            () ->
                parallel.run(
                    100,
                    task -> {
                      runs.incrementAndGet(task);
                      if (task == 3) {
                        throw new IllegalArgumentException("task 3");
                      }
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("task 3");
    assertThat(IntStream.range(0, 100).map(runs::get)).containsOnly(1);
  }

  @Test
  void anInterruptedCallerStillWaitsForItsTasks() {
    AtomicIntegerArray runs = new AtomicIntegerArray(1000);
    Thread.currentThread().interrupt();
    parallel.run(1000, runs::incrementAndGet);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(IntStream.range(0, 1000).map(runs::get)).containsOnly(1);
  }
}
