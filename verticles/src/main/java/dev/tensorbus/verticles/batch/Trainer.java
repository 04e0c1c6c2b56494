// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Provided;
import dev.tensorbus.verticles.WorkerOptions;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Learns from batches of its own with a copy of the server's model, which it gets anew each
/// round.
final class Trainer {
  private final String name;
  private final int rounds;
  private final Workload workload;
  private final Progress progress;
  private final TimedLog log;

  /// Follows the worker's options; every rank makes other batches.
  Trainer(WorkerOptions options, String name, int rank, Progress progress) {
    this.name = name;
    this.rounds = options.whole(BatchProgram.ROUNDS);
    this.workload = Workload.of(options, new SplittableRandom(options.seed() + rank));
    this.progress = progress;
    this.log = new TimedLog(progress);
  }

  /// Lets the worker that is called train with this server's model, as often as it was told.
  @Remote
  static void runTrainer(RRef<BatchUpdateParameterServer> server) {
    Provided.await(Rpc.current(), Trainer.class).train(server);
  }

  /// Goes through all batches. Blocks.
  void train(RRef<BatchUpdateParameterServer> server) {
    progress.start(rounds);
    workload.model().load(server.rpcSync(BatchUpdateParameterServer::getModel));
    getNextBatch()
        .forEach(
            batch -> {
              log.timedLog(() -> name + " processing one batch");
              float loss = backward(batch);
              log.timedLog(() -> name + " reporting gradients");
              workload
                  .model()
                  .load(
                      server.rpcSync(BatchUpdateParameterServer::updateAndFetchModel, gradients()));
              log.timedLog(() -> name + " got updated model");
              progress.step(batch.labels().shape().size(0), loss);
            });
  }

  private Stream<Workload.Batch> getNextBatch() {
    return Stream.generate(workload.nextBatch()).limit(rounds);
  }

  private float backward(Workload.Batch batch) {
    workload.model().parameters().forEach(Tensor::zeroGrad);
    Tensor loss = workload.loss(batch);
    loss.backward();
    return loss.item();
  }

  private List<Tensor> gradients() {
    return workload.model().parameters().stream()
        .map(parameter -> Objects.requireNonNull(parameter.grad()))
        .toList();
  }
}
