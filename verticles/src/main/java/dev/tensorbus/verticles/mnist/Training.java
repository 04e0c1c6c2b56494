// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static dev.tensorbus.nn.functional.Losses.nllLoss;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.models.data.DataLoader;
import dev.tensorbus.models.data.Example;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.rpc.CallOptions;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;

/// Trains the server's model, like the training loop of PyTorch's tutorial.
public final class Training {
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withoutTimeout();

  private final Rpc rpc;
  private final RRef<ParameterServer> server;
  private final DistributedOptimizer optimizer;
  private final Progress progress;
  private final boolean isWatched;
  private final boolean isCompiled;

  /// Connects to the server and creates the optimizer. Blocks.
  public Training(Rpc rpc, String serverName, double learningRate, Progress progress) {
    this.rpc = rpc;
    this.server = rpc.remote(serverName, ParameterServer::shared);
    this.optimizer =
        DistributedOptimizer.sharing(
            rpc,
            new Sgd(learningRate),
            server.rpcSync(ParameterServer::parameterRefs),
            server.rpcSync(ParameterServer::optimizer));
    this.progress = progress;
    this.isWatched = server.rpcSync(ParameterServer::isServed);
    this.isCompiled = server.rpcSync(ParameterServer::isCompiled);
  }

  /// Trains for the given number of epochs.
  void train(DataLoader<Example, Batch> batches, int epochs) {
    progress.start((long) epochs * batches.size());
    for (int epoch = 0; epoch < epochs; epoch++) {
      for (Batch batch : batches) {
        progress.step(batch.size(), step(batch));
      }
      server.rpcSync(ParameterServer::endEpoch);
    }
  }

  /// Runs a training step on one batch and returns its loss.
  public float step(Batch batch) {
    return rpc.span("step", () -> learn(batch));
  }

  private float learn(Batch batch) {
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = loss(batch);
      context.backward(loss);
      optimizer.step(context);
      tell(loss.item(), batch.size());
      return loss.item();
    } // close() releases the gradients of this pass on every worker
  }

  private Tensor loss(Batch batch) {
    if (isCompiled) { // the forward pass and the loss are one graph there
      return server.rpcSync(ParameterServer::loss, batch.inputs(), batch.targets());
    }
    Tensor logProbabilities = server.rpcSync(ParameterServer::forward, batch.inputs());
    return nllLoss(logProbabilities, batch.targets());
  }

  /// Notifies watchers of a step, without waiting.
  private void tell(float loss, int examples) {
    if (isWatched) {
      server.rpcAsync(ParameterServer::learned, loss, examples);
    }
  }

  /// Waits until every live trainer has called this method, and until the model has been evaluated
  /// or this trainer is selected to evaluate it.
  ///
  /// @return whether this trainer must evaluate the model and then call [#evaluated()]
  public boolean finish() {
    return server.with(PATIENT).rpcSync(ParameterServer::finish);
  }

  /// Notifies the server, and all trainers that wait in [#finish()], that the model has been
  /// evaluated.
  public void evaluated() {
    server.rpcSync(ParameterServer::evaluated);
  }

  /// Returns the log-probabilities of the classes for these images.
  Tensor predict(Tensor images) {
    return server.rpcSync(ParameterServer::forward, images);
  }
}
