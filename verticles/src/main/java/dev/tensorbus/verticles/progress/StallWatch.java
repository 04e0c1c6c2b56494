// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import dev.tensorbus.rpc.observe.status.AwaitedCall;
import dev.tensorbus.rpc.observe.status.PeerStatus;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.thread.time.NanoClock;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reports steps that take ten times as long as the median step: first the call that the worker
/// waits for, and later the end of the step. Polls on the worker's event loop.
public final class StallWatch implements Progress, WorkerExtension {
  private static final Duration PERIOD = Duration.ofMillis(200);

  /// A call that has been pending for less time is not considered the cause of a stall.
  private static final long LEAST_WAIT_MILLIS = 500;

  private final Consumer<String> say;
  private final String hint;
  private final StepTimes times;
  private long planned;
  private boolean isTold;
  private @Nullable Vertx vertx;
  private long timer;

  /// @param say shows the lines to the user
  /// @param hint how the user can find out more
  public StallWatch(Consumer<String> say, String hint) {
    this(say, hint, NanoClock.SYSTEM);
  }

  StallWatch(Consumer<String> say, String hint, NanoClock clock) {
    this.say = say;
    this.hint = hint;
    times = new StepTimes(clock);
  }

  @Override
  public synchronized Future<?> start(Rpc rpc) {
    vertx = rpc.vertx();
    timer = rpc.vertx().setPeriodic(PERIOD.toMillis(), id -> look(rpc::status));
    return Future.succeededFuture();
  }

  @Override
  public synchronized Future<?> stop() {
    if (vertx != null) {
      vertx.cancelTimer(timer);
    }
    return Future.succeededFuture();
  }

  @Override
  public synchronized void start(long more) {
    planned += more;
  }

  @Override
  public void step(int samples, float loss) {
    String end = null;
    synchronized (this) {
      if (isTold) {
        end = "step %d finished after %s".formatted(times.steps() + 1, seconds(times.sinceLast()));
        isTold = false;
      }
      times.step();
    }
    if (end != null) {
      say.accept(end);
    }
  }

  /// Reports the call that a stalled step waits for. A long computation is not reported, because it
  /// waits for no call.
  void look(Supplier<WorkerStatus> status) {
    String line = null;
    synchronized (this) {
      if (!isTold && times.steps() < planned && times.isStalled()) {
        line = line(status.get());
        isTold = line != null;
      }
    }
    if (line != null) {
      say.accept(line);
    }
  }

  private @Nullable String line(WorkerStatus status) {
    return status.calls().stream()
        .filter(call -> call.forMs() >= LEAST_WAIT_MILLIS)
        .findFirst()
        .map(call -> line(call, status))
        .orElse(null);
  }

  private String line(AwaitedCall call, WorkerStatus status) {
    String heard =
        status.peers().stream()
            .filter(peer -> peer.worker().equals(call.to()))
            .map(PeerStatus::lastHeardMs)
            .filter(Objects::nonNull)
            .map(millis -> ", last heard " + seconds(millis * 1_000_000) + " ago")
            .findFirst()
            .orElse("");
    boolean isOwn = call.to().equals(status.worker()); // where a collective meets the others
    String what = isOwn ? "in " + call.method() : "for %s (%s)".formatted(call.to(), call.method());
    return "step %d has waited %s %s%s; %s"
        .formatted(times.steps() + 1, seconds(times.sinceLast()), what, heard, hint);
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
