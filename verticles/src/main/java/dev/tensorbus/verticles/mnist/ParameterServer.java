// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.grpc.gateway.model.Batching;
import dev.tensorbus.grpc.gateway.model.Predictor;
import dev.tensorbus.grpc.gateway.model.ServedModel;
import dev.tensorbus.models.MnistNet;
import dev.tensorbus.optim.Sgd;
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
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Owns the one model that all trainers drive. Any number of them compute forward and backward at
/// once: each pass keeps the parameter versions that it began with.
final class ParameterServer {
  private final MnistNet net;
  private final UnaryOperator<Tensor> forward;
  private final int trainers;

  /// Ranks of the trainers that have learned all they will, and of those that will never.
  private final TreeSet<Integer> finished = new TreeSet<>();

  private final SortedMap<Integer, String> lost = new TreeMap<>();
  private final Promise<Integer> evaluator = Promise.promise();
  private boolean isOutsideDone = true;
  private volatile @Nullable ServedModel served;

  /// @param forward computes the network's forward pass
  ParameterServer(MnistNet net, UnaryOperator<Tensor> forward, int trainers) {
    this.net = net;
    this.forward = forward;
    this.trainers = trainers;
  }

  /// Shows the model to trainers outside of the world, who are waited for as well.
  ///
  /// @param learningRate of their steps
  /// @param outside how many there are
  synchronized ServedModel serve(double learningRate, int outside, Batching batching) {
    MnistNet twin = new MnistNet(new SplittableRandom(0)); // its weights do not stay
    Predictor predictor = new Predictor(twin, twin::forward, Shape.of(1, 28, 28));
    ServedModel model = new ServedModel(net, predictor, new Sgd(learningRate), outside, batching);
    isOutsideDone = model.trainersEnded().isComplete();
    model.trainersEnded().onSuccess(v -> endOutside());
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
  @Remote
  List<RRef<Tensor>> parameterRefs() {
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
    ServedModel model = served;
    if (model != null) {
      model.learned(Rpc.caller().name(), loss, examples, model.version());
    }
  }

  /// Tells that the caller has learned all it will. Answered when all trainers that live have:
  /// from then on the model is in evaluation mode. Gives the rank that is to evaluate it.
  @Remote
  synchronized Future<Integer> finish() {
    finished.add(Rpc.caller().id());
    evaluateIfAllHaveFinished();
    return evaluator.future();
  }

  /// The model that trainers outside have taught, where there are no others.
  synchronized UnaryOperator<Tensor> taught() {
    net.eval();
    return this::forward;
  }

  /// Done when all trainers that live have learned all they will; fails if none is left that has.
  Future<Void> trained() {
    return evaluator.future().mapEmpty();
  }

  /// Nobody waits for a trainer that is lost.
  synchronized void lose(WorkerInfo trainer) {
    finished.remove(trainer.id());
    lost.put(trainer.id(), trainer.name());
    evaluateIfAllHaveFinished();
  }

  /// One that is started again goes on in the place of the one that was lost, and is waited for.
  synchronized void welcome(WorkerInfo trainer) {
    lost.remove(trainer.id());
  }

  private void evaluateIfAllHaveFinished() {
    if (finished.size() + lost.size() < trainers || !isOutsideDone) {
      return;
    }
    if (!finished.isEmpty()) {
      net.eval();
      evaluator.tryComplete(finished.getFirst());
    } else if (!lost.isEmpty()) {
      evaluator.tryFail(
          "no trainer is left: %s lost before the training was over; start the world anew"
              .formatted(String.join(", ", lost.values()) + (lost.size() == 1 ? " was" : " were")));
    }
  }
}
