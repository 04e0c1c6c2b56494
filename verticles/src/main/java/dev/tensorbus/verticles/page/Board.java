// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.observe.status.WaitTree;
import dev.tensorbus.rpc.observe.status.WorldStatus;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.page.SeenWorker.State;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The latest reports of a world's workers, and the history of the world. Thread-safe.
final class Board {
  private static final long SILENT_MS = 3_000;

  private final JsonObject about;
  private final Supplier<List<String>> lost;
  private final NanoClock clock;
  private final long begun;
  private final Map<String, Answer> answers = new HashMap<>();
  private final Deque<JsonObject> log = new ArrayDeque<>();
  private final Curve curve = new Curve();
  private long samples;
  private boolean isEnded;
  private long ended;

  /// @param about the constant properties of the run, such as the program's name
  /// @param lost returns the names of the workers that rank 0 has lost
  Board(JsonObject about, Supplier<List<String>> lost, NanoClock clock) {
    this.about = about;
    this.lost = lost;
    this.clock = clock;
    begun = clock.nanoTime();
  }

  private record Answer(WorkerReport report, long nanos, double samplesPerSecond) {}

  /// Adds a worker's report. Does nothing once the training has ended.
  synchronized void add(WorkerReport report) {
    if (!isEnded) {
      Answer before = answers.get(report.name());
      long now = clock.nanoTime();
      long more = report.training().samples();
      double speed = 0;
      if (before != null) {
        // A restarted worker counts from 0 again.
        more = Math.max(0, more - before.report.training().samples());
        speed = more * 1e9 / Math.max(1, now - before.nanos);
      }
      samples += more;
      answers.put(report.name(), new Answer(report, now, speed));
      addLog(report);
    }
  }

  private void addLog(WorkerReport report) {
    for (Object line : report.log()) {
      if (line instanceof JsonObject said) {
        log.add(said.copy().put("worker", report.name()));
      }
    }
    while (log.size() > LogTail.MOST_LINES) {
      log.removeFirst();
    }
  }

  /// Adds a point to the curve.
  synchronized void tick() {
    if (!isEnded) {
      curve.add((clock.nanoTime() - begun) / 1e9, samples, loss());
    }
  }

  /// Returns the mean of the workers' latest losses; null if no worker has reported one.
  private @Nullable Double loss() {
    OptionalDouble mean =
        answers.values().stream()
            .map(answer -> answer.report.training().loss())
            .filter(loss -> loss != null)
            .mapToDouble(Double::doubleValue)
            .average();
    return mean.isPresent() ? mean.getAsDouble() : null;
  }

  /// Freezes the board at the end of the training.
  synchronized void end() {
    if (!isEnded) {
      tick();
      ended = clock.nanoTime();
      isEnded = true;
    }
  }

  /// Returns the largest number of steps that any worker has reported.
  synchronized long mostSteps() {
    return answers.values().stream()
        .mapToLong(answer -> answer.report.training().steps())
        .max()
        .orElse(0);
  }

  /// Returns everything that the page shows.
  synchronized JsonObject snapshot() {
    long now = isEnded ? ended : clock.nanoTime();
    List<String> missing = lost.get();
    List<SeenWorker> workers =
        answers.values().stream()
            .map(answer -> seen(answer, now, missing))
            .sorted(Comparator.comparingInt(one -> one.report().status().rank()))
            .toList();
    return about
        .copy()
        .put("ended", isEnded)
        .put("upMs", (now - begun) / 1_000_000)
        .put("steps", workers.stream().mapToLong(one -> one.report().training().steps()).sum())
        .put("planned", workers.stream().mapToLong(SeenWorker::planned).sum())
        .put("notices", Notices.of(workers, missing))
        .put("workers", new JsonArray(workers.stream().map(SeenWorker::toJson).toList()))
        .put("waiting", new JsonArray(waiting(workers)))
        .put("curve", curve.toJson())
        .put("log", new JsonArray(List.copyOf(log)));
  }

  private SeenWorker seen(Answer answer, long now, List<String> missing) {
    long ageMs = (now - answer.nanos) / 1_000_000;
    State state = State.HERE;
    if (missing.contains(answer.report.name())) {
      state = State.LOST;
    } else if (isEnded) {
      state = State.DONE;
    } else if (ageMs >= SILENT_MS) {
      state = State.SILENT;
    }
    return new SeenWorker(answer.report, ageMs, answer.samplesPerSecond, state);
  }

  private static List<String> waiting(List<SeenWorker> workers) {
    return WaitTree.lines(
        new WorldStatus(
            workers.stream()
                .filter(one -> one.state() == State.HERE)
                .map(one -> one.report().status())
                .toList(),
            List.of()));
  }
}
