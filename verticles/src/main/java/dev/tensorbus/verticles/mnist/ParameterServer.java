// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.Sgd;
import dev.tensorbus.optim.server.Batching;
import dev.tensorbus.optim.server.ModelServer;
import dev.tensorbus.optim.server.Predictor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.verticles.WorkerObjects;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Owns the one model that all trainers drive. Any number of them compute forward and backward at
/// once: each pass keeps the parameter versions that it began with.
final class ParameterServer {
  private final MnistNet net;
  private final UnaryOperator<Tensor> forward;
  private final int trainers;
  private final Runnable save;
  private final Object saving = new Object();

  /// By rank, the trainers that have learned all they will. Each waits to hear whether it is to
  /// evaluate the model.
  private final TreeMap<Integer, Promise<Boolean>> finished = new TreeMap<>();

  /// The names of those that never will.
  private final SortedMap<Integer, String> lost = new TreeMap<>();

  private final Promise<Void> evaluated = Promise.promise();
  private boolean isOutsideDone = true;
  private volatile @Nullable ModelServer served;

  /// @param forward computes the network's forward pass
  /// @param save keeps the weights, if that is wanted
  ParameterServer(MnistNet net, UnaryOperator<Tensor> forward, int trainers, Runnable save) {
    this.save = save;
    this.net = net;
    this.forward = forward;
    this.trainers = trainers;
  }

  /// Shows the model to trainers outside of the world, who are waited for as well.
  ///
  /// @param learningRate of their steps
  /// @param outside how many there are
  synchronized ModelServer serve(double learningRate, int outside, Batching batching) {
    MnistNet twin = new MnistNet(new SplittableRandom(0)); // its weights do not stay
    Predictor predictor = new Predictor(twin, twin::forward, Shape.of(1, 28, 28));
    ModelServer model = new ModelServer(net, predictor, new Sgd(learningRate), outside, batching);
    isOutsideDone = model.trainers().allDeparted().isComplete();
    model.trainers().allDeparted().onSuccess(_ -> endOutside());
    served = model;
    return model;
  }

  private synchronized void endOutside() {
    isOutsideDone = true;
    evaluateIfAllHaveFinished();
  }

  /// The server of the worker that is called.
  @Remote
  static ParameterServer shared() {
    return WorkerObjects.await(Rpc.current(), ParameterServer.class);
  }

  /// Log-probabilities `[n, 10]` of images `[n, 1, 28, 28]`.
  @Remote
  Tensor forward(Tensor images) {
    return net.isTraining() ? forward.apply(images) : NoGrad.call(() -> forward.apply(images));
  }

  /// References to the parameters, for the trainers' optimizers.
  ///
  /// @throws IllegalStateException if the training is over, as a trainer that is started again may
  ///     find it
  @Remote
  List<RRef<Tensor>> parameterRefs() {
    if (!net.isTraining()) {
      throw new IllegalStateException("the training is over; start the world anew to train again");
    }
    Rpc rpc = Rpc.current();
    return net.parameters().stream().map(rpc::rref).toList();
  }

  /// Whether somebody may want to hear of each step.
  @Remote
  boolean isServed() {
    return served != null;
  }

  /// Tells that the model has learned from the caller.
  @Remote
  void learned(float loss, int examples) {
    ModelServer model = served;
    if (model != null) {
      model.learned(Rpc.caller().name(), loss, examples, model.version());
    }
  }

  /// Tells that the caller has gone through all its data, and waits until the weights are kept.
  @Remote
  void endEpoch() {
    synchronized (saving) { // trainers end their epochs when they like
      save.run();
    }
  }

  /// Tells that the caller has learned all it will. When all trainers that live have, the model is
  /// in evaluation mode, and one of them is told to evaluate it. The others are answered when it
  /// has: if it is lost before, the next one is told.
  @Remote
  synchronized Future<Boolean> finish() {
    Promise<Boolean> evaluates = Promise.promise();
    finished.put(Rpc.caller().id(), evaluates);
    evaluateIfAllHaveFinished();
    return evaluates.future();
  }

  /// Tells that the caller has evaluated the model.
  @Remote
  synchronized void evaluated() {
    evaluated.tryComplete();
    finished.values().forEach(evaluates -> evaluates.tryComplete(false));
  }

  /// The model that trainers outside have taught, where there are no others.
  synchronized UnaryOperator<Tensor> taught() {
    net.eval();
    return this::forward;
  }

  /// Done when the model is evaluated; fails if no trainer is left that could.
  Future<Void> trained() {
    return evaluated.future();
  }

  /// Nobody waits for a trainer that is lost.
  synchronized void lose(WorkerInfo trainer) {
    finished.remove(trainer.id());
    lost.put(trainer.id(), trainer.name());
    evaluateIfAllHaveFinished();
  }

  /// One that is started again goes on in the place of the one that was lost, and is waited for
  /// while there is something to learn.
  synchronized void welcome(WorkerInfo trainer) {
    if (net.isTraining()) {
      lost.remove(trainer.id());
    }
  }

  private void evaluateIfAllHaveFinished() {
    if (finished.size() + lost.size() < trainers || !isOutsideDone) {
      return;
    }
    if (!finished.isEmpty()) {
      net.eval();
      finished.firstEntry().getValue().tryComplete(true);
    } else if (!lost.isEmpty()) {
      evaluated.tryFail(
          "no trainer is left: %s lost before the model was evaluated; start the world anew"
              .formatted(String.join(", ", lost.values()) + (lost.size() == 1 ? " was" : " were")));
    }
  }
}
