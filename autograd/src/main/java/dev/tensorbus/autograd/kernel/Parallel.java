// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Runs independent tasks on all cores. The calling thread runs tasks too, so a caller makes
/// progress even while all helper threads are busy with another caller's tasks.
///
/// Waking a sleeping thread takes as long as multiplying two 128 x 128 matrices. So an idle helper
/// polls for [#AWAKE] nanoseconds before it sleeps, and yields to other threads between polls.
///
/// Any thread may run any task, so the result of a task must depend only on its index.
public final class Parallel {
  /// How long an idle thread polls, in nanoseconds. This is longer than the pauses between the
  /// kernels of a network.
  private static final long AWAKE = 100_000;

  private final int threads;

  /// Jobs with unclaimed tasks. Helpers only peek at the first job, so they do not contend for a
  /// lock.
  private final ConcurrentLinkedQueue<Job> jobs = new ConcurrentLinkedQueue<>();

  private final AtomicInteger sleepers = new AtomicInteger();
  private final Semaphore alarm = new Semaphore(0);

  /// Starts `threads - 1` helpers.
  Parallel(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException(
          "tensorbus.threads is " + threads + "; expected at least 1");
    }
    this.threads = threads;
    for (int helper = 1; helper < threads; helper++) {
      Thread.ofPlatform().daemon().name("tensorbus-kernels-" + helper).start(this::help);
    }
  }

  /// Returns the system property `tensorbus.threads`, or the number of cores by default.
  public static int configured() {
    return Integer.getInteger("tensorbus.threads", Runtime.getRuntime().availableProcessors());
  }

  /// Returns the instance that all kernels share, with [#configured] threads.
  public static Parallel shared() {
    return Shared.PARALLEL;
  }

  /// Returns the number of threads, including the caller.
  public int threads() {
    return threads;
  }

  /// Runs `task` for each index below `tasks` and returns when all are done.
  public void run(int tasks, IntConsumer task) {
    int helpers = Math.min(threads, tasks) - 1;
    if (helpers < 1) {
      for (int number = 0; number < tasks; number++) {
        task.accept(number);
      }
      return;
    }
    Job job = new Job(tasks, task);
    jobs.add(job);
    int asleep = Math.min(helpers, sleepers.get());
    if (asleep > 0) {
      alarm.release(asleep);
    }
    job.takePart();
    job.await();
  }

  /// Processes the indices from `first` (inclusive) to `end` (exclusive).
  @FunctionalInterface
  public interface Share {
    void accept(int first, int end);
  }

  /// Divides the indices below `size` among the threads and runs `share` on each range. No range is
  /// smaller than `smallest`, unless `size` itself is.
  public void divide(int size, int smallest, Share share) {
    int shares = Math.clamp(size / smallest, 1, threads);
    run(
        shares,
        number -> share.accept(start(size, number, shares), start(size, number + 1, shares)));
  }

  /// Returns the number of parts into which to divide `size` so that no part is larger than
  /// `largest`. This number is a multiple of the number of threads (but at most `size`), so that no
  /// thread idles while another computes the last part.
  public int parts(int size, int largest) {
    int rounds = Math.ceilDiv(Math.ceilDiv(size, largest), threads);
    return Math.min(size, rounds * threads);
  }

  /// Returns the index at which part `number` begins if `size` is divided into `parts` nearly equal
  /// parts.
  public static int start(int size, int number, int parts) {
    return (int) ((long) size * number / parts);
  }

  private void help() {
    while (true) {
      try {
        nextJob().takePart();
      } catch (InterruptedException stop) {
        return;
      }
    }
  }

  /// Waits for a job and returns it. Error Prone warns about `yield` because correct code must not
  /// depend on it; here it only lets other threads run.
  @SuppressWarnings("ThreadPriorityCheck")
  private Job nextJob() throws InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < AWAKE) {
      Job job = jobs.peek();
      if (job != null) {
        return job;
      }
      Thread.yield();
    }
    return sleep();
  }

  /// Sleeps until there is a job. The thread counts itself as a sleeper before it looks at `jobs`,
  /// so that a job added later wakes it. After a spurious wake-up it looks again.
  private Job sleep() throws InterruptedException {
    sleepers.incrementAndGet();
    try {
      Job job = jobs.peek();
      while (job == null) {
        alarm.acquire();
        job = jobs.peek();
      }
      return job;
    } finally {
      sleepers.decrementAndGet();
    }
  }

  /// The tasks of one call to [#run].
  private final class Job {
    private final int tasks;
    private final IntConsumer task;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch unfinished;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Job(int tasks, IntConsumer task) {
      this.tasks = tasks;
      this.task = task;
      this.unfinished = new CountDownLatch(tasks);
    }

    private void takePart() {
      for (int number = next.getAndIncrement(); number < tasks; number = next.getAndIncrement()) {
        if (number == tasks - 1) {
          jobs.remove(this);
        }
        try {
          task.accept(number);
        } catch (Throwable thrown) {
          failure.compareAndSet(null, thrown);
        } finally {
          unfinished.countDown();
        }
      }
    }

    /// Waits for the tasks that other threads have claimed. An interrupt does not end the wait,
    /// since these threads write to the caller's arrays.
    private void await() {
      long start = System.nanoTime();
      while (unfinished.getCount() > 0 && System.nanoTime() - start < AWAKE) {
        Thread.onSpinWait();
      }
      boolean interrupted = false;
      while (unfinished.getCount() > 0) {
        try {
          unfinished.await();
        } catch (InterruptedException wait) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      switch (failure.get()) {
        case null -> {}
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case Throwable thrown -> throw new IllegalStateException(thrown);
      }
    }
  }

  private static final class Shared {
    private static final Parallel PARALLEL = new Parallel(configured());
  }
}
