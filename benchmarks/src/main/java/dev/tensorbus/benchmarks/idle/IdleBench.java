// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.idle;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.benchmarks.rpc.Callee;
import dev.tensorbus.rpc.IdleMode;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ProgramSettings;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// For each idle strategy, measures the CPU usage of each worker of an idle world with one JVM per
/// worker. Also measures an empty call: a worker that uses less CPU while idle answers more slowly.
public final class IdleBench extends RpcWorker {
  /// The program of this benchmark.
  public static final Program PROGRAM =
      new Program(
          "idle",
          "CPU usage of idle workers, for five minutes",
          ProgramSettings.with(Setting.WORLD_SIZE.from(1)),
          options -> {},
          new RoleBinding(Role.PARAMETER_SERVER, IdleBench::new),
          new RoleBinding(
              Role.TRAINER, (options, progress) -> new RpcWorker(Role.TRAINER, options)));

  /// Three world sizes for each strategy.
  public static final List<JsonObject> WORLDS =
      Arrays.stream(IdleMode.values())
          .flatMap(mode -> Stream.of(1, 4, 16).map(size -> world(mode, size)))
          .toList();

  /// Sixteen JVMs that start on two cores are busy compiling for about this long.
  private static final Duration SETTLING = Duration.ofSeconds(60);

  private static final Duration SPAN = Duration.ofSeconds(20);
  private static final int WARM_UP_CALLS = 500;
  private static final int CALLS = 3000;

  private final WorkerOptions options;
  private final Progress progress;

  private IdleBench(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
    this.progress = progress;
  }

  private static JsonObject world(IdleMode mode, int size) {
    return new JsonObject()
        .put(Setting.IDLE_STRATEGY.key(), mode.name().toLowerCase(Locale.ROOT))
        .put(Setting.WORLD_SIZE.key(), size)
        .put(Setting.TIMEOUT.key(), 300)
        .put(Setting.HEARTBEAT_TIMEOUT.key(), 120); // 16 JVMs that start together starve each other
  }

  @Override
  protected void work(Rpc rpc) {
    rest(SETTLING);
    long start = System.nanoTime();
    List<Long> before = cpuMillis(rpc);
    rest(SPAN);
    List<Long> after = cpuMillis(rpc);
    double[] shares = shares(before, after, Duration.ofNanos(System.nanoTime() - start));
    say("cpu", Arrays.stream(shares).average().orElseThrow(), "%");
    say("cpu.most", Arrays.stream(shares).max().orElseThrow(), "%");
    String other = rpc.workers().getLast().name();
    Times noop = Times.of(WARM_UP_CALLS, CALLS, () -> rpc.rpcSync(other, Callee::noop));
    say("noop.p50", noop.median() * 1e6, "us");
    say("noop.p99", noop.quantile(0.99) * 1e6, "us");
  }

  private static void rest(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<Long> cpuMillis(Rpc rpc) {
    return rpc.workers().stream()
        .map(WorkerInfo::name)
        .map(name -> rpc.rpcSync(name, IdleBench::myCpuMillis))
        .toList();
  }

  /// Returns the CPU time of this worker's process so far.
  @Remote
  static long myCpuMillis() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
  }

  /// Returns the CPU usage of each worker in percent of a core.
  static double[] shares(List<Long> before, List<Long> after, Duration span) {
    double[] shares = new double[before.size()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = 100.0 * (after.get(i) - before.get(i)) / span.toMillis();
    }
    return shares;
  }

  private void say(String what, double value, String unit) {
    String strategy = options.word(Setting.IDLE_STRATEGY);
    String name = "idle." + strategy + ".workers" + options.worldSize() + "." + what;
    progress.say(new Figure(name, value, unit).toString());
  }
}
