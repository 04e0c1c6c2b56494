// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Records where the time in a block of code goes, on every worker of the world:
///
/// ```java
/// try (Profiler profiler = Profiler.start(rpc)) {
///   step();
///   System.out.println(profiler.stop().table());
/// }
/// ```
///
/// Several profilers may run concurrently and may be nested. May be used on any thread except an
/// event loop. Like `torch.autograd.profiler.profile`.
public final class Profiler implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Profiler.class.getName());

  private static final int CLOCK_ROUNDS = 8;

  private final Rpc rpc;
  private final ProfilerOptions options;
  private final String id = UUID.randomUUID().toString();
  private final List<WorkerInfo> workers;
  private final List<String> missing = new ArrayList<>();

  /// How many nanoseconds the clock of each recording worker is ahead of this worker's clock.
  private final Map<WorkerInfo, Long> ahead = new LinkedHashMap<>();

  private final long start;
  private @Nullable Profile profile;

  private Profiler(Rpc rpc, ProfilerOptions options) {
    this.rpc = rpc;
    this.options = options;
    this.workers =
        options.workers().isEmpty()
            ? rpc.workers()
            : options.workers().stream().map(rpc::worker).toList();
    startOn(workers.stream().filter(rpc.self()::equals).toList());
    startOn(workers.stream().filter(worker -> !worker.equals(rpc.self())).toList());
    ahead.replaceAll((worker, _) -> ahead(worker));
    this.start = EventFields.now();
  }

  /// Starts recording on all workers that are currently known.
  public static Profiler start(Rpc rpc) {
    return start(rpc, ProfilerOptions.DEFAULT);
  }

  /// Starts recording with the given options. Returns when all workers are recording. A worker that
  /// does not answer is [missing][Profile#missing].
  ///
  /// @throws dev.tensorbus.rpc.NoSuchWorkerException if a worker named in the options does not
  ///     exist
  public static Profiler start(Rpc rpc, ProfilerOptions options) {
    return new Profiler(rpc, options);
  }

  private void startOn(List<WorkerInfo> some) {
    List<Future<Boolean>> answers =
        some.stream().map(worker -> rpc.rpcAsync(worker, Recordings::start, id)).toList();
    Future.join(answers).otherwiseEmpty().await();
    for (int i = 0; i < some.size(); i++) {
      if (answers.get(i).failed()) {
        misses(some.get(i), answers.get(i).cause());
      } else if (answers.get(i).result()) {
        ahead.put(some.get(i), 0L);
      }
    }
  }

  private void misses(WorkerInfo worker, Throwable why) {
    missing.add(worker.name());
    LOG.log(Level.WARNING, () -> "profiler: no events received from " + worker + ": " + why);
  }

  /// Returns how many nanoseconds a worker's clock is ahead of this worker's, by Cristian's method
  /// ("Probabilistic clock synchronization", 1989): the answer with the shortest round trip is the
  /// most accurate.
  private long ahead(WorkerInfo worker) {
    if (worker.equals(rpc.self())) {
      return 0;
    }
    long shortest = Long.MAX_VALUE;
    long ahead = 0;
    try {
      for (int round = 0; round < CLOCK_ROUNDS; round++) {
        long before = EventFields.now();
        long there = rpc.rpcSync(worker, Recordings::clock);
        long after = EventFields.now();
        if (after - before < shortest) {
          shortest = after - before;
          ahead = there - (before + after) / 2;
        }
      }
    } catch (RpcException e) { // the worker is reported as missing at the end
      LOG.log(Level.DEBUG, "no clock", e);
    }
    return ahead;
  }

  /// Stops recording on all workers and fetches their events. Later calls return the same profile.
  public synchronized Profile stop() {
    if (profile == null) {
      long end = EventFields.now();
      List<Future<Void>> stopped =
          ahead.keySet().stream()
              .map(worker -> rpc.rpcAsync(worker, Recordings::stop, id))
              .toList();
      Future.join(stopped).otherwiseEmpty().await();
      profile = collect(end);
    }
    return profile;
  }

  private Profile collect(long end) {
    EventTree tree = new EventTree(rpc.workers(), options, start, end);
    long leftOut = 0;
    for (Map.Entry<WorkerInfo, Long> entry : ahead.entrySet()) {
      WorkerInfo worker = entry.getKey();
      List<LocalEvent> events = new ArrayList<>();
      try {
        EventPage page;
        do {
          page = rpc.rpcSync(worker, Recordings::next, id);
          events.addAll(page.events());
        } while (!page.isLast());
        leftOut += page.leftOut();
        tree.add(worker, entry.getValue(), events);
      } catch (RpcException e) {
        misses(worker, e);
      }
    }
    List<WorkerInfo> recorded =
        workers.stream().filter(worker -> !missing.contains(worker.name())).toList();
    return tree.build(recorded, missing, leftOut);
  }

  /// [Stops][#stop] recording, unless it has been stopped already.
  @Override
  public void close() {
    Profile _ = stop();
  }
}
