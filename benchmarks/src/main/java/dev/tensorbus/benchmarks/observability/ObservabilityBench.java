// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.observability;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.benchmarks.rpc.Callee;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RoleBinding;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.batch.BatchProgram;
import dev.tensorbus.verticles.batch.BatchTraining;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/// Measures empty calls and rounds of the batch program without observability, with metrics and
/// with traces. The worlds alternate, because the speed of a machine varies over time.
public final class ObservabilityBench extends RpcWorker {
  /// The program of this benchmark.
  public static final Program PROGRAM =
      new Program(
          "observability",
          "the cost of metrics and traces, for a quarter of an hour",
          BatchProgram.SETTINGS,
          options -> {},
          new RoleBinding(Role.PARAMETER_SERVER, ObservabilityBench::new),
          new RoleBinding(
              Role.TRAINER,
              (options, progress) ->
                  BatchProgram.PROGRAM.others().verticle().apply(options, Progress.NONE)));

  private static final Duration COMPILATION = Duration.ofSeconds(60);
  private static final int WARM_UP_CALLS = 30_000;
  private static final int CALLS = 60_000;
  private static final int TRAININGS = 800;

  private final WorkerOptions options;
  private final Progress progress;

  private ObservabilityBench(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
    this.progress = progress;
  }

  /// Returns a world without observability, one with metrics and one with traces sampled at 1 %,
  /// three times each.
  ///
  /// @param collector the URL of the collector for the traces
  public static List<JsonObject> worlds(String collector) {
    JsonObject metrics = world().put(Setting.METRICS.key(), 0);
    JsonObject traces =
        world().put(Setting.OTLP.key(), collector).put(Setting.TRACE_RATIO.key(), 0.01);
    return Collections.nCopies(3, List.of(world(), metrics, traces)).stream()
        .flatMap(List::stream)
        .toList();
  }

  private static JsonObject world() {
    return new JsonObject()
        .put(Setting.WORLD_SIZE.key(), 3)
        .put(BatchProgram.ROUNDS.key(), 200)
        .put(BatchProgram.INPUTS.key(), 100)
        .put(BatchProgram.OUTPUTS.key(), 30);
  }

  @Override
  protected void work(Rpc rpc) {
    try (BatchTraining training = new BatchTraining(rpc, options, Progress.NONE)) {
      Times.warmUp(1, COMPILATION, training::runPs);
      double seconds = Times.of(0, TRAININGS, training::runPs).median();
      say("batch.2trainers", options.whole(BatchProgram.ROUNDS) / seconds, "rounds/s");
    }
    String other = rpc.workers().getLast().name();
    Times noop = Times.of(WARM_UP_CALLS, CALLS, () -> rpc.rpcSync(other, Callee::noop));
    say("noop.p50", noop.median() * 1e6, "us");
    say("noop.p99", noop.quantile(0.99) * 1e6, "us");
  }

  private void say(String what, double value, String unit) {
    progress.say(new Figure("observability." + watched() + "." + what, value, unit).toString());
  }

  private String watched() {
    if (options.optionalInt(Setting.METRICS).isPresent()) {
      return "metrics";
    }
    return options.word(Setting.OTLP) == null ? "off" : "traces";
  }
}
