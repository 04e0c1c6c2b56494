// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.lane;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.GivenSettings;
import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Runs mixed traffic between three workers, one of which shares no memory with the others. Reports
/// the resource usage of the three processes every minute, and its growth at the end.
public final class SoakBench extends RpcWorker {
  /// The duration in minutes.
  public static final Setting MINUTES = GivenSettings.minutes(30);

  /// The program of this benchmark.
  public static final Program PROGRAM =
      new Program(
          "soak",
          "resource growth over half an hour of mixed traffic",
          ProgramSettings.with(MINUTES),
          options -> {},
          new RoleBinding(
              Role.PARAMETER_SERVER,
              (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options)),
          new RoleBinding(Role.TRAINER, SoakBench::new));

  /// One world of three workers.
  public static final List<JsonObject> WORLDS =
      List.of(new JsonObject().put(Setting.WORLD_SIZE.key(), 3));

  private static final int OBSERVER = 1;
  private static final int THREADS = 4;

  private final WorkerOptions options;
  private final Progress progress;
  private final int rank;
  private final LongAdder done = new LongAdder();
  private final LongAdder errors = new LongAdder();

  private SoakBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.options = options;
    this.progress = progress;
    this.rank = options.rank().orElseThrow();
  }

  @Override
  protected RpcOptions adapted(RpcOptions standard) {
    return rank == OBSERVER ? standard : standard.withLanes(Lane.SOCKET);
  }

  @Override
  protected void work(Rpc rpc) {
    int minutes = options.whole(MINUTES);
    long start = System.nanoTime();
    long end = start + TimeUnit.MINUTES.toNanos(minutes);
    List<Thread> threads = traffic(rpc, end);
    if (rank == OBSERVER) {
      observe(rpc, start, minutes);
    }
    threads.forEach(SoakBench::join);
    say("trainer" + rank + ".done", done.doubleValue(), "calls");
    say("trainer" + rank + ".errors", errors.doubleValue(), "errors");
  }

  private List<Thread> traffic(Rpc rpc, long end) {
    List<String> peers =
        rpc.workers().stream()
            .map(WorkerInfo::name)
            .filter(name -> !name.equals(rpc.self().name()))
            .toList();
    return IntStream.range(0, THREADS)
        .mapToObj(i -> new Traffic(rpc, peers, options.seed() + i, end, done, this::failed))
        .map(Thread::startVirtualThread)
        .toList();
  }

  private void failed(RuntimeException error) {
    errors.increment();
    progress.say("trainer" + rank + ": " + error);
  }

  private void observe(Rpc rpc, long start, int minutes) {
    List<Log> logs = rpc.workers().stream().map(worker -> new Log(worker.name())).toList();
    progress.say("minute worker " + String.join(" ", Vitals.NAMES));
    for (int minute = 1; minute <= minutes; minute++) {
      long next = start + TimeUnit.MINUTES.toNanos(minute) - TimeUnit.SECONDS.toNanos(2);
      while (System.nanoTime() - next < 0) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
      for (Log log : logs) {
        progress.say(minute + " " + log.add(rpc.rpcSync(log.worker(), Vitals::measure)));
      }
    }
    logs.forEach(log -> log.compare().forEach(this::say));
  }

  private void say(Figure figure) {
    progress.say(figure.toString());
  }

  private void say(String name, double value, String unit) {
    say(new Figure("soak." + name, value, unit));
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The resource usage of a worker, by minute.
  private record Log(String worker, List<List<Double>> minutes) {
    private Log(String worker) {
      this(worker, new ArrayList<>());
    }

    private String add(List<Double> vitals) {
      minutes.add(vitals);
      StringBuilder row = new StringBuilder(worker);
      vitals.forEach(value -> row.append(String.format(" %.1f", value)));
      return row.toString();
    }

    /// Returns the medians over the second third of the time, and their growth in the last third.
    /// The first third is ignored, because classes are still being loaded and pools filled.
    private List<Figure> compare() {
      int third = minutes.size() / 3;
      List<Figure> figures = new ArrayList<>();
      for (int i = 0; i < Vitals.NAMES.size(); i++) {
        String name = "soak." + worker + "." + Vitals.NAMES.get(i);
        double before = median(i, third, minutes.size() - third);
        double after = median(i, minutes.size() - third, minutes.size());
        figures.add(new Figure(name, before, Vitals.UNITS.get(i)));
        figures.add(new Figure(name + ".growth", after - before, Vitals.UNITS.get(i)));
      }
      return figures;
    }

    private double median(int vital, int from, int to) {
      List<Double> sorted =
          minutes.subList(Math.min(from, to - 1), to).stream()
              .map(minute -> minute.get(vital))
              .sorted()
              .toList();
      return sorted.get(sorted.size() / 2);
    }
  }
}
