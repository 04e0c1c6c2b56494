// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.RpcWorker;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.concurrent.CompletableFuture;

/// Every rank other than 0: trains on all data, in a different order on each rank, and evaluates
/// the model if the server selects this trainer for it.
final class MnistTrainerVerticle extends RpcWorker {
  private final WorkerOptions options;
  private final Progress progress;
  private final Data data;

  /// The training set, loaded while this worker waits for rank 0 and joins the world.
  private final CompletableFuture<Digits> training;

  MnistTrainerVerticle(WorkerOptions options, Progress progress) {
    super(Role.TRAINER, options);
    this.options = options;
    this.progress = progress;
    this.data = Data.of(options);
    this.training = CompletableFuture.supplyAsync(data::training);
  }

  @Override
  protected void work(Rpc rpc) {
    Digits digits = training.join();
    int rank = rpc.self().id();
    if (rank == Role.TRAINER.firstRank()) {
      progress.say("learning from %d digits %s".formatted(digits.size(), data.source()));
    }
    Training training = new Training(rpc, Role.PARAMETER_SERVER.label(), options.lr(), progress);
    training.train(
        DataLoader.of(digits, options.batchSize(), Batch::of).shuffled(options.seed() + rank),
        options.epochs());
    if (training.finish()) {
      Data.evaluate(data.test(), training::predict, progress);
      training.evaluated();
    }
  }
}
