// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Runs independent tasks on all cores. The caller takes part, so work goes on when the helpers
/// are busy with another caller's.
///
/// To wake a sleeping thread takes as long as a product of 128 by 128, so who waits looks around
/// for [#AWAKE] before it sleeps, and lets other threads of the machine go first meanwhile.
///
/// Tasks say by their number alone what they compute, so results do not depend on who ran them.
public final class Parallel {
  /// Longer than the pauses between the kernels of a network, in nanoseconds.
  private static final long AWAKE = 100_000;

  private final int threads;

  /// Those with tasks that nobody took yet. Helpers only look at the first one, without a lock for
  /// which many of them would queue.
  private final ConcurrentLinkedQueue<Job> jobs = new ConcurrentLinkedQueue<>();

  private final AtomicInteger sleepers = new AtomicInteger();
  private final Semaphore alarm = new Semaphore(0);

  /// Starts one helper less than `threads`.
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

  /// As many threads as the system property `tensorbus.threads` says, else one per core.
  public static int configured() {
    return Integer.getInteger("tensorbus.threads", Runtime.getRuntime().availableProcessors());
  }

  /// The one that kernels share, with [#configured] threads.
  public static Parallel shared() {
    return Shared.PARALLEL;
  }

  /// How many threads work, the caller included.
  public int threads() {
    return threads;
  }

  /// Runs `task` for each number below `tasks` and returns when all are done.
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

  /// Work on the numbers from `first` to `end`, without `end`.
  @FunctionalInterface
  public interface Share {
    void accept(int first, int end);
  }

  /// Runs `share` on parts of `size` that together are all of it, one for each thread but none
  /// smaller than `smallest`.
  public void divide(int size, int smallest, Share share) {
    int shares = Math.clamp(size / smallest, 1, threads);
    run(
        shares,
        number -> share.accept(start(size, number, shares), start(size, number + 1, shares)));
  }

  /// Into how many parts of at most `largest` to divide `size`: as many for each thread, so that
  /// none waits while another one computes a last part.
  public int parts(int size, int largest) {
    int rounds = Math.ceilDiv(Math.ceilDiv(size, largest), threads);
    return Math.min(size, rounds * threads);
  }

  /// The number at which part `number` begins if `size` of them are divided into equal `parts`.
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

  /// Error Prone dislikes `yield` where order depends on it; here it is only politeness.
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

  /// A job that comes after the look at `jobs` finds this thread among the sleepers. An alarm that
  /// rings too often only makes it look again.
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

  /// One caller's tasks.
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

    /// Waits for the tasks that others took; an interrupt waits too, since they write to our
    /// arrays.
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
