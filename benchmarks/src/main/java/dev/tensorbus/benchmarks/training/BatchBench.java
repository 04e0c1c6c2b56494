// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.training;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Times;
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
import java.util.List;

/// Measures rounds of the batch program, with as many rounds per training as the PyTorch benchmark.
/// A training takes less than a tenth of a second, so each of the three figures covers repeated
/// trainings for at least [#MEASURED]. The warm-up, which PyTorch does not need, takes
/// [#COMPILATION] per worker.
public final class BatchBench extends RpcWorker {
  public static final Program PROGRAM =
      new Program(
          "batch",
          "rounds of the batch program",
          BatchProgram.SETTINGS,
          options -> {},
          new RoleBinding(Role.PARAMETER_SERVER, BatchBench::new),
          new RoleBinding(
              Role.TRAINER,
              (options, progress) ->
                  BatchProgram.PROGRAM.others().verticle().apply(options, Progress.NONE)));

  /// The worlds of the PyTorch benchmark.
  public static final List<JsonObject> WORLDS =
      List.of(
          world(1, 200, 100, 30),
          world(2, 200, 100, 30),
          world(4, 200, 100, 30),
          world(2, 100, 1000, 1000));

  private static final int RUNS = 3;
  private static final Duration MEASURED = Duration.ofSeconds(1);

  /// The compilation time per worker; the times add up, because all JVMs share the same two cores.
  /// With four trainers, the compilers use half of the two cores' time for 65 s, and hardly any CPU
  /// after 100 s. With two trainers of 1000x1000, the speed is 140 rounds/s after 45 s, 90 for a
  /// while after 55 s, and then 140 to 160.
  private static final Duration COMPILATION = Duration.ofSeconds(20);

  private final WorkerOptions options;
  private final Progress progress;

  private BatchBench(WorkerOptions options, Progress progress) {
    super(Role.PARAMETER_SERVER, options);
    this.options = options;
    this.progress = progress;
  }

  private static JsonObject world(int trainers, int rounds, int inputs, int outputs) {
    return new JsonObject()
        .put(Setting.WORLD_SIZE.key(), trainers + 1)
        .put(BatchProgram.ROUNDS.key(), rounds)
        .put(BatchProgram.INPUTS.key(), inputs)
        .put(BatchProgram.OUTPUTS.key(), outputs);
  }

  @Override
  protected void work(Rpc rpc) {
    try (BatchTraining training = new BatchTraining(rpc, options, Progress.NONE)) {
      Times.warmUp(1, COMPILATION.multipliedBy(options.worldSize()), training::runPs);
      for (int run = 0; run < RUNS; run++) {
        progress.say(new Figure(name(run), roundsPerSecond(training), "rounds/s").toString());
      }
    }
  }

  private double roundsPerSecond(BatchTraining training) {
    int trainings = 0;
    double seconds = 0;
    while (seconds < MEASURED.toSeconds()) {
      seconds += Times.once(training::runPs);
      trainings++;
    }
    return trainings * options.whole(BatchProgram.ROUNDS) / seconds;
  }

  private String name(int run) {
    return "batch_ps.trainers%d.%dx%d.run%d"
        .formatted(
            options.worldSize() - 1,
            options.whole(BatchProgram.INPUTS),
            options.whole(BatchProgram.OUTPUTS),
            run);
  }
}
