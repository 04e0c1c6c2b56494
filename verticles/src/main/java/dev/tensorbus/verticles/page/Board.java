// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.observe.status.WaitTree;
import dev.tensorbus.rpc.observe.status.WorldStatus;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.page.Curve.Point;
import dev.tensorbus.verticles.page.SeenWorker.State;
import dev.tensorbus.verticles.page.WorkerReport.TagPoint;
import dev.tensorbus.verticles.page.WorkerReport.Training;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The latest reports of a world's workers, and the history of the world. Thread-safe.
final class Board {
  private static final long SILENT_MS = 3_000;

  private static final int MOST_SETTINGS = 128;

  private final JsonObject about;
  private final Supplier<Map<String, String>> lost;
  private final NanoClock clock;
  private final long begun;
  private final long begunMillis = wallMillis();
  private final Map<String, Answer> answers = new HashMap<>();
  private final Deque<JsonObject> log = new ArrayDeque<>();
  private final Curves curves = new Curves();
  private List<JsonObject> latest = new ArrayList<>();
  private JsonArray published = new JsonArray();
  private Map<String, Long> noticed = new HashMap<>();
  private long firstStep;
  private long stepsAtFirst;
  private boolean isEnded;
  private long ended;

  /// @param about the constant properties of the run, such as the program's name
  /// @param lost returns the names of the workers that rank 0 has lost, each with a description of
  ///     how its process ended; empty if that is unknown
  Board(JsonObject about, Supplier<Map<String, String>> lost, NanoClock clock) {
    this.about = about;
    this.lost = lost;
    this.clock = clock;
    begun = clock.nanoTime();
  }

  /// A worker's last report.
  ///
  /// @param rates the speeds of its counts, by the name of their curve
  private record Answer(
      WorkerReport report, long nanos, double samplesPerSecond, Map<String, Rate> rates) {}

  /// Adds a worker's report. Does nothing once the training has ended.
  synchronized void add(WorkerReport report) {
    if (!isEnded) {
      Answer before = answers.get(report.name());
      Map<String, Rate> rates = before == null ? new HashMap<>() : before.rates;
      describe(report.descriptions());
      report.points().forEach(point -> addPoint(report, point));
      double speed = addUsage(report, rates);
      answers.put(report.name(), new Answer(report, clock.nanoTime(), speed, rates));
      addLog(report);
    }
  }

  /// Adds settings that a program has reported to those of its options.
  private void describe(JsonObject descriptions) {
    JsonObject settings = about.getJsonObject("settings");
    for (String name : descriptions.fieldNames()) {
      if (settings.size() < MOST_SETTINGS) {
        settings.put(name, descriptions.getValue(name));
      }
    }
  }

  private void addPoint(WorkerReport report, TagPoint point) {
    long time = begunMillis + upMillis() - point.agoMs();
    Point placed = new Point(time, point.step(), point.value());
    curves.add(report.name(), point.tag(), placed);
    latest.add(Curves.line(report.name(), point.tag(), placed));
  }

  /// Adds a point to each curve of what the worker uses, and returns its samples per second.
  private double addUsage(WorkerReport report, Map<String, Rate> rates) {
    Training training = report.training();
    JsonObject jvm = report.jvm();
    Map<String, Double> values = new LinkedHashMap<>();
    double speed = rate(rates, "samples_per_second", training.samples());
    if (training.samples() > 0) {
      values.put("samples_per_second", speed);
    }
    values.put("jvm/heap_bytes", (double) jvm.getLong("heap", 0L));
    values.put("jvm/cores", rate(rates, "jvm/cores", jvm.getLong("cpuNanos", 0L)) / 1e9);
    long sent = report.status().sentBytes().values().stream().mapToLong(Long::longValue).sum();
    values.put("rpc/sent_bytes_per_second", rate(rates, "rpc/sent_bytes_per_second", sent));
    values.forEach((tag, value) -> addPoint(report, new TagPoint(tag, training.steps(), 0, value)));
    return speed;
  }

  private double rate(Map<String, Rate> rates, String tag, long count) {
    return rates.computeIfAbsent(tag, any -> new Rate()).add(clock.nanoTime(), count);
  }

  private long upMillis() {
    return ((isEnded ? ended : clock.nanoTime()) - begun) / 1_000_000;
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

  /// Publishes the points that the workers have reported since the last call. Must be called at
  /// regular intervals.
  synchronized void tick() {
    if (!isEnded) {
      long steps = steps();
      if (firstStep == 0 && steps > 0) {
        firstStep = clock.nanoTime();
        stepsAtFirst = steps;
      }
      Map<String, String> missing = lost.get();
      timed(Notices.of(seen(clock.nanoTime(), missing), missing)); // also while nobody looks
      published = new JsonArray(latest);
      latest = new ArrayList<>();
    }
  }

  /// Returns the run's properties and all points of its curves, one JSON object per line.
  synchronized String lines() {
    StringBuilder lines = new StringBuilder(header().encode()).append('\n');
    curves.lines().forEach(line -> lines.append(line.encode()).append('\n'));
    return lines.toString();
  }

  private long steps() {
    return answers.values().stream().mapToLong(answer -> answer.report.training().steps()).sum();
  }

  private JsonObject header() {
    JsonObject run = about.copy().put("steps", steps()).put("upMs", upMillis());
    return new JsonObject().put("run", run);
  }

  /// Returns the constant properties of the run.
  JsonObject about() {
    return about;
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
    Map<String, String> missing = lost.get();
    List<SeenWorker> workers = seen(now, missing);
    long steps = steps();
    long planned = workers.stream().mapToLong(SeenWorker::planned).sum();
    return new JsonObject()
        .put("run", about.copy())
        .put("ended", isEnded)
        .put("upMs", (now - begun) / 1_000_000)
        .put("steps", steps)
        .put("planned", planned)
        .put("leftMs", leftMillis(steps, planned))
        .put("notices", timed(Notices.of(workers, missing)))
        .put("workers", new JsonArray(workers.stream().map(SeenWorker::toJson).toList()))
        .put("waiting", new JsonArray(waiting(workers)))
        .put("points", published)
        .put("log", new JsonArray(List.copyOf(log)));
  }

  /// Returns the time left at the average speed since the first step; null while it is unknown.
  private @Nullable Long leftMillis(long steps, long planned) {
    if (firstStep == 0 || steps <= stepsAtFirst || isEnded) {
      return null;
    }
    double each = (double) (clock.nanoTime() - firstStep) / (steps - stepsAtFirst);
    return (long) (each * Math.max(0, planned - steps) / 1e6);
  }

  private List<SeenWorker> seen(long now, Map<String, String> missing) {
    return answers.values().stream()
        .map(answer -> seen(answer, now, missing))
        .sorted(Comparator.comparingInt(one -> one.report().status().rank()))
        .toList();
  }

  private SeenWorker seen(Answer answer, long now, Map<String, String> missing) {
    long ageMs = (now - answer.nanos) / 1_000_000;
    State state = State.HERE;
    if (missing.containsKey(answer.report.name())) {
      state = State.LOST;
    } else if (isEnded) {
      state = State.DONE;
    } else if (ageMs >= SILENT_MS) {
      state = State.SILENT;
    }
    return new SeenWorker(answer.report, ageMs, answer.samplesPerSecond, state);
  }

  private static long wallMillis() {
    return System.currentTimeMillis();
  }

  /// Adds to each notice since when it holds.
  private JsonArray timed(JsonArray notices) {
    Map<String, Long> since = new HashMap<>();
    for (Object each : notices) {
      if (each instanceof JsonObject notice) {
        String key = notice.getString("kind") + " " + notice.getString("worker");
        Long begun = noticed.getOrDefault(key, wallMillis());
        since.put(key, begun);
        notice.put("at", begun);
      }
    }
    noticed = since;
    return notices;
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
