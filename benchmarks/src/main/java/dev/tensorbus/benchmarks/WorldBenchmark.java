// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.command.LocalWorld;
import dev.tensorbus.verticles.command.MasterPort;
import dev.tensorbus.verticles.progress.ProgressEvents;
import java.util.List;

/// Work between two workers, each a JVM of its own that computes with one thread.
///
/// @param program what they run; a worker says its figures through its progress
record WorldBenchmark(Program program) implements Benchmark {
  private static final int WORKERS = 2;
  private static final int THREADS = 1;

  @Override
  public String name() {
    return program.name();
  }

  @Override
  public int run(WorkerOptions options, int steps) throws InterruptedException {
    program.check().accept(options);
    WorkerOptions world =
        options
            .with(Setting.PROGRAM, program.name())
            .with(Setting.WORLD_SIZE, WORKERS)
            .with(Setting.THREADS, THREADS)
            .with(Setting.MASTER_PORT, MasterPort.free());
    return LocalWorld.run(
        WORKERS, rank -> command(world.with(Setting.RANK, rank), steps), new FigureDisplay());
  }

  private static List<String> command(WorkerOptions options, int steps) {
    return Jvm.current()
        .command(
            List.of(ProgressEvents.FLAG, MnistBench.flag(steps)),
            BenchWorker.class.getName(),
            List.of(
                Role.of(options.rank().orElseThrow()).name(), "-conf", options.toJson().encode()));
  }
}
