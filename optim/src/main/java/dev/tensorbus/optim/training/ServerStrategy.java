// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.distributed.DistributedOptimizer;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistAutograd;
import dev.tensorbus.rpc.autograd.DistContext;
import dev.tensorbus.rpc.parallel.RemoteLayer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Trains a model on a parameter server, which any number of trainers may share.
final class ServerStrategy implements Strategy {
  private final Rpc rpc;
  private final RemoteLayer<? extends Layer> model;
  private final DistributedOptimizer optimizer;

  ServerStrategy(Rpc rpc, RemoteLayer<? extends Layer> model, OptimizerSpec spec) {
    this.rpc = rpc;
    this.model = model;
    this.optimizer = DistributedOptimizer.create(rpc, spec, model.remoteParameters());
  }

  /// Runs a model on its worker.
  static Tensor call(RemoteLayer<? extends Layer> model, Tensor inputs) {
    return model.rpcSync(ServerStrategy::forward, inputs);
  }

  @Remote
  static Tensor forward(Layer model, Tensor inputs) {
    return ((Forward) model).forward(inputs);
  }

  @Override
  public <B> TotalLoss step(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    return rpc.span("step", () -> learn(batches, step, clipping));
  }

  private <B> TotalLoss learn(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    try (var context = DistAutograd.context(rpc)) {
      TotalLoss total = Strategy.backward(batches, step, context::backward);
      if (!total.isEmpty()) {
        update(context, clipping);
      }
      return total;
    }
  }

  private void update(DistContext context, @Nullable Clipping clipping) {
    if (clipping == null) {
      optimizer.step(context);
    } else {
      optimizer.step(context, clipping);
    }
  }

  @Override
  public Progress progress() {
    return rpc.progress();
  }

  @Override
  public List<ParameterGroup<RRef<Tensor>>> groups() {
    return optimizer.groups();
  }

  @Override
  public void addTo(Checkpoint checkpoint) {
    checkpoint.withModel("model", model.rref()).withOptimizer("optimizer", optimizer);
  }
}
