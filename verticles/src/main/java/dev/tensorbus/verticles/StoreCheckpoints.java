// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.CheckpointException;
import dev.tensorbus.optim.checkpoint.Checkpoints;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.optim.training.Trainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The checkpoints of a world with parameter servers, as [CheckpointSettings] describe them: its
/// trainers write them, and continue from the newest one.
public final class StoreCheckpoints {
  private static final int KEPT = 3;

  private final WorkerOptions options;
  private final Optional<Checkpoints> checkpoints;
  private final Optional<Path> newest;

  /// What a checkpoint says about its run.
  ///
  /// @param program the name of the program
  /// @param shards the number of shards of the data; 0 if it has none
  public record Run(String program, int shards) {}

  private StoreCheckpoints(WorkerOptions options) {
    this.options = options;
    checkpoints = CheckpointSettings.folder(options).map(folder -> new Checkpoints(folder, KEPT));
    newest = checkpoints.flatMap(Checkpoints::newest);
  }

  /// Looks for the newest checkpoint of the run.
  ///
  /// @throws UsageException if there is none to continue from, or it is of another program
  /// @throws CheckpointException if all of them are damaged
  public static StoreCheckpoints of(WorkerOptions options) {
    StoreCheckpoints found = new StoreCheckpoints(options);
    if (CheckpointSettings.isResumed(options) && found.newest.isEmpty()) {
      throw new UsageException(
          "--resume is given, but %s; leave --resume out to begin a run".formatted(found.lack()));
    }
    Optional<Run> _ = found.run();
    return found;
  }

  private String lack() {
    Path folder = CheckpointSettings.folder(options).orElseThrow();
    return Files.isDirectory(folder)
        ? "there is no checkpoint in " + folder
        : "the folder " + folder + " does not exist";
  }

  private Optional<Run> run() {
    return newest.map(this::read);
  }

  private Run read(Path path) {
    try {
      Run run = Checkpoint.settings(path, Run.class);
      if (run.program().equals(options.program())) {
        return run;
      }
      throw another("checkpoint %s is of %s".formatted(path, run.program()));
    } catch (CheckpointException e) {
      throw another(String.valueOf(e.getMessage()));
    }
  }

  private UsageException another(String reason) {
    return new UsageException(
        "--checkpoint is the folder of another program: %s; expected one of %s: use another folder"
            .formatted(reason, options.program()));
  }

  /// Checks that a run which begins does not overwrite the checkpoints of an earlier one.
  ///
  /// @throws UsageException if it does
  public void requireNoOlderRun() {
    if (newest.isPresent() && !CheckpointSettings.isResumed(options)) {
      throw new UsageException(
          "--checkpoint is the folder of an earlier run, whose newest checkpoint is %s; continue it"
                  .formatted(newest.get())
              + " with --resume, or use another folder");
    }
  }

  /// Returns the folder of another run with whose weights this one starts, if any.
  public Optional<Path> weights() {
    return CheckpointSettings.weights(options);
  }

  /// Returns the number of shards of the run, which is that of its first start.
  ///
  /// @param usual the number if this is its first start, or if it had no shards so far
  int shards(int usual) {
    return run().map(Run::shards).filter(shards -> shards > 0).orElse(usual);
  }

  /// Returns the options of trainers that share one data set. If their steps are bulk synchronous,
  /// the data have shards, so that the loss of a trainer changes no bit.
  public StoreOptions sharded(StoreOptions joined) {
    return joined.consistency().equals(new Bsp(0))
        ? joined.withShards(shards(joined.trainers()))
        : joined;
  }

  /// Lets a trainer write the checkpoints. It continues from the newest one if the run is resumed,
  /// or if the others have taken steps: then this trainer has been started again.
  public void attach(Trainer<?> trainer, ParameterStore<?> store) {
    if (checkpoints.isEmpty()) {
      return;
    }
    if (!store.hasBegun()) {
      requireNoOlderRun();
    }
    trainer
        .withSettings(new Run(options.program(), store.shards()))
        .withCheckpoints(checkpoints.get(), CheckpointSettings.interval(options));
    if (newest.isPresent()) {
      boolean _ = trainer.resume();
    }
  }
}
