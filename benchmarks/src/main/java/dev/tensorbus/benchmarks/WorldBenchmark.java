// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.world.LocalWorld;
import dev.tensorbus.verticles.world.OnLoss;
import dev.tensorbus.verticles.world.WorkerCommand;
import io.vertx.core.json.JsonObject;
import java.util.List;

/// A benchmark with several workers. Each worker has its own JVM, with one compute thread unless
/// the world's settings say otherwise.
///
/// @param program the program that the workers run; the workers report figures as lines of progress
/// @param worlds the settings of each world; the worlds are measured one after another
record WorldBenchmark(Program program, List<JsonObject> worlds) implements Benchmark {
  private static final int WORKERS = 2;
  private static final int THREADS = 1;

  /// Creates a benchmark with one world of two workers.
  WorldBenchmark(Program program) {
    this(program, List.of(new JsonObject()));
  }

  @Override
  public String name() {
    return program.name();
  }

  @Override
  public String summary() {
    return program.summary();
  }

  @Override
  public void check(JsonObject given) {
    worlds.forEach(world -> program.check().accept(options(given, world)));
  }

  @Override
  public int run(JsonObject given) throws InterruptedException {
    for (JsonObject world : worlds) {
      WorkerOptions options = options(given, world).with(Setting.MASTER_PORT, FreePort.find());
      List<WorkerCommand> workers = WorkerCommand.ofAll(program, options, BenchWorker.class);
      int code = LocalWorld.run(workers, 0, OnLoss.STOP, new FigureDisplay());
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  private WorkerOptions options(JsonObject given, JsonObject world) {
    JsonObject values =
        new JsonObject()
            .put(Setting.PROGRAM.key(), program.name())
            .put(Setting.WORLD_SIZE.key(), WORKERS)
            .put(Setting.THREADS.key(), THREADS);
    for (String key : given.fieldNames()) {
      if (program.settings().has(key)) {
        values.put(key, given.getValue(key));
      }
    }
    return WorkerOptions.of(program.settings(), values.mergeIn(world), Setting::option);
  }
}
