// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.profile;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.observe.profiler.Profile;
import dev.tensorbus.rpc.observe.profiler.Profiler;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Profiles all workers on request, for the next ten training steps but at most ten seconds. Stores
/// the latest profile. Thread-safe.
public final class RequestedProfile {
  private static final System.Logger LOG = System.getLogger(RequestedProfile.class.getName());
  private static final long STEPS = 10;
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final Vertx vertx;
  private final Rpc rpc;
  private final LongSupplier steps;
  private State state = State.NONE;
  private String table = "";
  private @Nullable Buffer trace;

  private enum State {
    NONE,
    RUNNING,
    DONE,
    FAILED
  }

  /// @param steps returns the largest number of steps that any worker has completed
  public RequestedProfile(Vertx vertx, Rpc rpc, LongSupplier steps) {
    this.vertx = vertx;
    this.rpc = rpc;
    this.steps = steps;
  }

  /// Starts a profile on a new thread; returns false if a profile is already running.
  public synchronized boolean begin() {
    boolean isFree = state != State.RUNNING;
    if (isFree) {
      state = State.RUNNING;
      Threads.system().start("tensorbus-profile", this::run);
    }
    return isFree;
  }

  private void run() {
    try (Profiler profiler = Profiler.start(rpc)) {
      awaitSteps();
      Profile profile = profiler.stop();
      end(State.DONE, profile.table(), traceOf(profile));
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, "profiling failed", e);
      end(State.FAILED, "profiling failed: " + e.getMessage(), null);
    }
  }

  private void awaitSteps() {
    long last = steps.getAsLong() + STEPS;
    Deadline end = Deadline.after(LONGEST, NanoClock.SYSTEM);
    while (steps.getAsLong() < last && !end.isOver()) {
      vertx.timer(PERIOD.toMillis(), TimeUnit.MILLISECONDS).await();
    }
  }

  private static Buffer traceOf(Profile profile) throws IOException {
    Path file = Files.createTempFile("tensorbus-profile", ".json");
    try {
      profile.exportChromeTrace(file);
      return Buffer.buffer(Files.readAllBytes(file));
    } finally {
      Files.delete(file);
    }
  }

  private synchronized void end(State how, String text, @Nullable Buffer made) {
    state = how;
    table = text;
    trace = made;
  }

  /// Returns the `state` (`none`, `running`, `done` or `failed`) and the `table`, a text that
  /// contains the error if the profile failed.
  public synchronized JsonObject toJson() {
    return new JsonObject().put("state", state.name().toLowerCase(Locale.ROOT)).put("table", table);
  }

  /// Returns the Chrome trace of the last profile, if there is one.
  public synchronized Optional<Buffer> trace() {
    return Optional.ofNullable(trace);
  }
}
