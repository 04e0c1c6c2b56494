// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.StoreCheckpoints;
import dev.tensorbus.verticles.StoreTrainer;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.List;
import java.util.SplittableRandom;

/// A trainer of a world with parameter servers: trains its copy of the model on its share of the
/// generated batches, and saves it if no trainer of a lower rank is left.
final class BatchStoreTrainerVerticle extends StoreTrainer {
  private final WorkerOptions options;
  private final Progress progress;

  BatchStoreTrainerVerticle(WorkerOptions options, Progress progress) {
    super(options, progress);
    this.options = options;
    this.progress = progress;
  }

  @Override
  protected void work(Rpc rpc) {
    StoreCheckpoints checkpoints = StoreCheckpoints.of(options);
    Workload workload = Workload.of(options, new SplittableRandom(options.seed()));
    Checkpoint model = workload.checkpoint();
    checkpoints.weights().ifPresent(model::restore);
    StoreOptions joined = checkpoints.sharded(ServerSettings.store(options));
    int shares = joined.shards() > 0 ? joined.shards() : trainers();
    int batches = options.whole(BatchProgram.ROUNDS) * shares;
    DataLoader<Batch, Batch> all =
        DataLoader.of(workload.batches(batches, options.seed()), 1, List<Batch>::getFirst);
    boolean evaluates =
        train(
            rpc,
            () ->
                ParameterStore.join(rpc, workload.model(), BatchProgram.optimizer(options), joined),
            store -> {
              Trainer<Batch> trainer = Trainer.of(store, workload::lossOf);
              prepare(trainer, store, checkpoints);
              trainer.fit(share(all, store), 1);
            });
    if (evaluates) {
      options.path(Setting.SAVE).ifPresent(model::save);
      Batch next = workload.batches(batches + 1, options.seed()).get(batches); // nobody has seen it
      Tensor loss = Evaluation.call(() -> workload.lossOf(next));
      progress.say("test loss %.4f".formatted(loss.item()));
    }
  }
}
