// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.CompiledLoss;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.nn.functional.Losses;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.distributed.OwnerOptimizer;
import dev.tensorbus.optim.server.Batching;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.Predictor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.group.Members;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.WorkerObjects;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Owns the model that all trainers update. Trainers may run forward and backward passes
/// concurrently: each pass uses the parameter versions that it started with.
final class ParameterServer implements AutoCloseable {
  private final MnistNet net;
  private final UnaryOperator<Tensor> forward;
  private final OwnerOptimizer shared;
  private final Members<Integer> trainers;
  private final Runnable save;
  private final Object saving = new Object();

  /// The trainers that have finished, by rank. The promise tells a trainer whether it must evaluate
  /// the model.
  private final TreeMap<Integer, Promise<Boolean>> finished = new TreeMap<>();

  private final Promise<Void> evaluated = Promise.promise();
  private volatile @Nullable ModelServer served;
  private volatile @Nullable CompiledLoss compiled;

  /// @param forward the network's forward pass
  /// @param optimizer updates the parameters for all trainers
  /// @param trainers the number of trainers in the world, whose ranks start at 1
  /// @param save saves the weights if the options enable it
  ParameterServer(
      MnistNet net,
      UnaryOperator<Tensor> forward,
      Optimizer optimizer,
      int trainers,
      Runnable save) {
    this.net = net;
    this.forward = forward;
    this.shared = OwnerOptimizer.of(optimizer);
    this.trainers = Members.of("trainer", IntStream.rangeClosed(1, trainers).boxed().toList());
    this.save = save;
  }

  /// Serves the model to gRPC clients, which can only read it.
  ModelServer serve(Batching batching) {
    MnistNet twin = new MnistNet(new SplittableRandom(0)); // receives the current weights
    Predictor predictor = new Predictor(twin, twin::forward, Shape.of(1, 28, 28));
    ModelServer model = new ModelServer(net, predictor, batching);
    served = model;
    return model;
  }

  /// Computes losses with their gradients on a device from now on. Must be called before trainers
  /// are. No other optimizer may change the model.
  void compile(Device device) {
    compiled = CompiledLoss.of(net, Losses::nllLoss, device);
  }

  /// Returns the server of the called worker.
  @Remote
  static ParameterServer shared() {
    return WorkerObjects.await(Rpc.current(), ParameterServer.class);
  }

  /// Returns the log-probabilities `[n, 10]` of images `[n, 1, 28, 28]`.
  @Remote
  Tensor forward(Tensor images) {
    return net.isTraining() ? forward.apply(images) : NoGrad.call(() -> forward.apply(images));
  }

  /// Returns whether trainers must call [#loss] instead of [#forward].
  @Remote
  boolean isCompiled() {
    return compiled != null;
  }

  /// Returns the loss of images `[n, 1, 28, 28]` and labels, computed with its gradients on the
  /// device.
  @Remote
  Tensor loss(Tensor images, Tensor labels) {
    synchronized (shared) { // its steps wait: a traced pass must not see the model change
      return Objects.requireNonNull(compiled).forward(images, labels);
    }
  }

  /// Returns references to the parameters, for the trainers' optimizers.
  ///
  /// @throws IllegalStateException if the training has finished, which can happen to a restarted
  ///     trainer
  @Remote
  List<RRef<Tensor>> parameterRefs() {
    if (!net.isTraining()) {
      throw new IllegalStateException(
          "the training has finished; restart the whole world to train again");
    }
    Rpc rpc = Rpc.current();
    return net.parameters().stream().map(rpc::rref).toList();
  }

  /// Returns a reference to the optimizer that all trainers share.
  @Remote
  RRef<OwnerOptimizer> optimizer() {
    return Rpc.current().rref(shared);
  }

  /// Returns whether gRPC clients may watch the training steps.
  @Remote
  boolean isServed() {
    return served != null;
  }

  /// Called after each training step of the caller; notifies gRPC clients that watch.
  @Remote
  void learned(float loss, int examples) {
    ModelServer model = served;
    if (model != null) {
      model.learned(Rpc.caller().name(), loss, examples, model.version());
    }
  }

  /// Called after each epoch of the caller. Returns once the weights have been saved.
  @Remote
  void endEpoch() {
    synchronized (saving) { // trainers may finish their epochs concurrently
      save.run();
    }
  }

  /// Called when the caller has finished its training. Returns whether the caller must evaluate the
  /// model. When all live trainers have finished, the model is switched to evaluation mode and one
  /// caller is selected, to which this method returns true. If the selected trainer is lost, the
  /// next one is selected. The calls of the others return after the evaluation.
  @Remote
  synchronized Future<Boolean> finish() {
    Promise<Boolean> evaluates = Promise.promise();
    finished.put(Rpc.caller().id(), evaluates);
    evaluateIfAllHaveFinished();
    return evaluates.future();
  }

  /// Called when the caller has evaluated the model.
  @Remote
  synchronized void evaluated() {
    evaluated.tryComplete();
    finished.values().forEach(evaluates -> evaluates.tryComplete(false));
  }

  /// Returns a future that completes when the model has been evaluated, and fails if no trainer is
  /// left to evaluate it.
  Future<Void> trained() {
    return evaluated.future();
  }

  /// Stops waiting for a lost trainer.
  synchronized void lose(WorkerInfo trainer) {
    finished.remove(trainer.id());
    trainers.lose(trainer.id());
    evaluateIfAllHaveFinished();
  }

  /// Waits for a restarted trainer again, unless the training has finished.
  synchronized void welcome(WorkerInfo trainer) {
    if (net.isTraining() && trainers.lost().contains(trainer.id())) {
      trainers.join(trainer.id());
    }
  }

  /// Frees the memory of the device.
  @Override
  public void close() {
    CompiledLoss present = compiled;
    if (present != null) {
      present.close();
    }
  }

  private void evaluateIfAllHaveFinished() {
    if (!trainers.areAllIn(finished.keySet())) {
      return;
    }
    if (!finished.isEmpty()) {
      net.eval();
      finished.firstEntry().getValue().tryComplete(true);
    } else {
      trainers
          .lossOfAll(Role.TRAINER::nameOf)
          .ifPresent(
              loss ->
                  evaluated.tryFail(
                      loss + " before the model was evaluated; restart the whole world"));
    }
  }
}
