// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static dev.tensorbus.nn.functional.Losses.nllLoss;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.models.digits.Digits;
import dev.tensorbus.nn.Evaluation;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.server.StoreOptions;
import dev.tensorbus.optim.training.Epoch;
import dev.tensorbus.optim.training.Trainer;
import dev.tensorbus.optim.training.TrainerListener;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.StoreCheckpoints;
import dev.tensorbus.verticles.StoreTrainer;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/// A trainer of a world with parameter servers: trains its copy of the network on its share of the
/// digits, and evaluates it if no trainer of a lower rank is left.
final class MnistStoreTrainerVerticle extends StoreTrainer {
  private final WorkerOptions options;
  private final Progress progress;
  private final Data data;

  /// The training set, loaded while this worker waits for rank 0 and joins the world.
  private final CompletableFuture<Digits> training;

  MnistStoreTrainerVerticle(WorkerOptions options, Progress progress) {
    super(options, progress);
    this.options = options;
    this.progress = progress;
    this.data = Data.of(options);
    this.training = CompletableFuture.supplyAsync(data::training);
  }

  @Override
  protected void work(Rpc rpc) {
    Digits digits = training.join();
    StoreCheckpoints checkpoints = StoreCheckpoints.of(options);
    MnistNet net = MnistStore.network(options, checkpoints);
    UnaryOperator<Tensor> forward = ForwardPass.of(net, options);
    Checkpoint weights = MnistStore.checkpoint(net);
    if (index(rpc) == 0) {
      progress.say("learning from %d digits %s".formatted(digits.size(), data.source()));
    }
    DataLoader<Example, Batch> all =
        DataLoader.of(digits, options.batchSize(), Batch::of).shuffled(options.seed());
    StoreOptions joined = MnistStore.options(options, checkpoints);
    boolean evaluates =
        train(
            rpc,
            () -> ParameterStore.join(rpc, net, MnistStore.optimizer(options), joined),
            store -> {
              Trainer<Batch> trainer =
                  Trainer.of(
                      store,
                      (Batch batch) -> nllLoss(forward.apply(batch.inputs()), batch.targets()));
              trainer.withListener(new Saving(rpc, weights));
              prepare(trainer, store, checkpoints);
              trainer.fit(share(all, store), options.epochs());
            });
    if (evaluates) {
      save(weights);
      Data.evaluate(data.test(), images -> Evaluation.call(() -> forward.apply(images)), progress);
    }
  }

  private void save(Checkpoint weights) {
    options.path(Setting.SAVE).ifPresent(weights::save);
  }

  /// Saves the weights after each epoch of the first trainer.
  private final class Saving implements TrainerListener {
    private final Rpc rpc;
    private final Checkpoint weights;

    private Saving(Rpc rpc, Checkpoint weights) {
      this.rpc = rpc;
      this.weights = weights;
    }

    @Override
    public void onEpoch(Epoch epoch) {
      if (isFirst(rpc)) {
        save(weights);
      }
    }
  }
}
