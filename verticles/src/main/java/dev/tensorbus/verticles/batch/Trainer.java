// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.ObjectCalls;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.verticles.Progress;
import dev.tensorbus.verticles.Provided;
import dev.tensorbus.verticles.WorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Learns from batches of its own with a copy of the server's model, which it gets anew each
/// round.
final class Trainer {
  private static final CallOptions BRIEFLY = CallOptions.DEFAULT.goingOnBriefly();

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
  static Future<Void> runTrainer(RRef<BatchUpdateParameterServer> server) {
    return Provided.await(Rpc.current(), Trainer.class).train(server);
  }

  /// Goes through all batches; done when the last update has come. No thread waits for it.
  Future<Void> train(RRef<BatchUpdateParameterServer> server) {
    progress.start(rounds);
    CallOptions options = workload.isBrief() ? BRIEFLY : CallOptions.DEFAULT;
    return new Run(server.with(options))
        .startWith(server.rpcAsync(BatchUpdateParameterServer::getModel));
  }

  /// One training, which goes on with each update: on the event loop that takes it, if a batch is
  /// brief, so that no thread has to be woken for it, and otherwise on a virtual thread.
  private final class Run {
    private final ObjectCalls<BatchUpdateParameterServer> server;
    private final Iterator<Workload.Batch> batches = getNextBatch().iterator();
    private final Promise<Void> over = Promise.promise();

    /// What the model has now.
    private StateDict present = new StateDict(Map.of());

    Run(ObjectCalls<BatchUpdateParameterServer> server) {
      this.server = server;
    }

    /// Learns from the first batch on a virtual thread: it takes long, since classes are loaded.
    Future<Void> startWith(Future<StateDict> model) {
      goOn(model);
      return over.future();
    }

    private void goOn(Future<StateDict> update) {
      update.compose(this::learn).onFailure(over::tryFail);
    }

    /// Ends when the gradients are on their way.
    private Future<Void> learn(StateDict updated) {
      load(updated);
      if (!batches.hasNext()) {
        over.complete();
        return over.future();
      }
      Workload.Batch batch = batches.next();
      log.timedLog(() -> name + " processing one batch");
      float loss = backward(batch);
      log.timedLog(() -> name + " reporting gradients");
      List<Tensor> gradients = gradients();
      goOn(
          server
              .rpcAsync(BatchUpdateParameterServer::updateAndFetchModel, gradients)
              .onSuccess(model -> gotUpdatedModel(batch, loss))
              .onSuccess(model -> gradients.forEach(Tensor::free)));
      return Future.succeededFuture();
    }

    private void load(StateDict updated) {
      workload.model().load(updated);
      present.free();
      present = updated;
    }

    private void gotUpdatedModel(Workload.Batch batch, float loss) {
      log.timedLog(() -> name + " got updated model");
      progress.step(batch.labels().shape().size(0), loss);
    }
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
