// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.lane;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// For each lane, measures the duration of an empty call while tensors of 256 MiB are streamed to
/// the same worker. Also counts workers that are wrongly considered dead.
public final class LaneBench extends RpcWorker {
  private static final Setting LANE =
      new Setting(
          "lane", "NAME", new SettingType.Word("a lane"), Lane.SHARED_MEMORY.name(), "lane");

  /// The program of this benchmark.
  public static final Program PROGRAM =
      new Program(
          "lane",
          "calls while large tensors are sent, for a minute",
          ProgramSettings.with(LANE),
          options -> {},
          new RoleBinding(
              Role.PARAMETER_SERVER,
              (options, progress) -> new RpcWorker(Role.PARAMETER_SERVER, options)),
          new RoleBinding(Role.TRAINER, LaneBench::new));

  /// One world for each lane.
  public static final List<JsonObject> WORLDS =
      List.of(world(Lane.SHARED_MEMORY), world(Lane.SOCKET));

  private static final String CALLEE = Role.PARAMETER_SERVER.label();
  private static final int MIB = 1 << 18; // floats
  private static final int STREAMED_MIB = 256;
  private static final Duration SPAN = Duration.ofSeconds(8);
  private static final int MOST_CALLS = 1_000_000;

  private final Lane lane;
  private final Progress progress;
  private final AtomicLong lost = new AtomicLong();

  private LaneBench(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.lane = Lane.valueOf(options.toJson().getString(LANE.key()));
    this.progress = progress;
  }

  private static JsonObject world(Lane lane) {
    return new JsonObject().put(LANE.key(), lane.name());
  }

  @Override
  protected RpcOptions adapted(RpcOptions standard) {
    return standard.withLanes(lane);
  }

  @Override
  protected void work(Rpc rpc) {
    rpc.onWorkerLost(gone -> lost.incrementAndGet());
    Runnable noop = () -> rpc.rpcSync(CALLEE, Errands::noop);
    Tensor large = Tensor.of(new float[STREAMED_MIB * MIB]);
    rpc.rpcSync(CALLEE, Errands::take, large);
    Times.warmUp(3000, Times.COMPILATION, noop);
    Times idle = calls(noop);
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicLong sent = new AtomicLong();
    Thread stream =
        Thread.startVirtualThread(
            () -> {
              while (!isOver.get()) {
                rpc.rpcSync(CALLEE, Errands::take, large);
                sent.incrementAndGet();
              }
            });
    calls(noop); // warms up the streaming code
    long before = sent.get();
    Times busy = calls(noop);
    double rate = (sent.get() - before) * (double) STREAMED_MIB / SPAN.toSeconds();
    isOver.set(true);
    join(stream);
    say("noop_idle.p50", idle.median() * 1e6, "us");
    say("noop_idle.p99", idle.quantile(0.99) * 1e6, "us");
    say("noop_streaming.p50", busy.median() * 1e6, "us");
    say("noop_streaming.p99", busy.quantile(0.99) * 1e6, "us");
    say("noop_streaming.p99_ratio", busy.quantile(0.99) / idle.quantile(0.99), "x");
    say("streamed", rate, "MiB/s");
    say("workers_lost", lost.doubleValue(), "workers");
  }

  /// Makes sequential calls for [#SPAN] and returns their durations.
  private static Times calls(Runnable call) {
    Times times = new Times(MOST_CALLS);
    long end = System.nanoTime() + SPAN.toNanos();
    for (int i = 0; i < MOST_CALLS && System.nanoTime() < end; i++) {
      long start = System.nanoTime();
      call.run();
      times.add(System.nanoTime() - start);
    }
    return times;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void say(String name, double value, String unit) {
    String full = "lane." + lane.name().toLowerCase(Locale.ROOT) + "." + name;
    progress.say(new Figure(full, value, unit).toString());
  }
}
