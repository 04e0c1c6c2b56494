// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Summary;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.GradientNorms;
import dev.tensorbus.rpc.Progress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Trains a copy of a model whose parameters live on parameter servers.
final class StoreStrategy implements Strategy {
  private final ParameterStore<?> store;
  private final ParameterGroup<Tensor> group;

  StoreStrategy(ParameterStore<?> store) {
    this.store = store;
    group = new ParameterGroup<>(store.optimizer(), store.model().parameters());
    store.pull().await();
  }

  /// The gradients are clipped before they are pushed. The newest values are pulled at the end, so
  /// that a validation sees them.
  @Override
  public <B> TotalLoss step(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    return store.rpc().span("step", () -> learn(batches, step, clipping));
  }

  private <B> TotalLoss learn(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    TotalLoss total = Strategy.backward(batches, step, Tensor::backward);
    if (clipping != null) {
      clip(clipping);
    }
    store.setOptimizer(group.spec());
    store.push(total.isSum() ? 0 : (int) Math.round(total.weight())).await();
    store.pull().await();
    return total;
  }

  private void clip(Clipping clipping) {
    List<Tensor> parameters =
        group.parameters().stream().filter(parameter -> parameter.grad() != null).toList();
    double[] norms =
        parameters.stream()
            .mapToDouble(parameter -> GradientNorms.of(gradient(parameter), clipping.normType()))
            .toArray();
    GradientChange change = clipping.change(clipping.total(norms));
    parameters.forEach(parameter -> parameter.setGrad(change.of(gradient(parameter))));
  }

  private static Tensor gradient(Tensor parameter) {
    return Objects.requireNonNull(parameter.grad());
  }

  @Override
  public Progress progress() {
    return store.rpc().progress();
  }

  @Override
  public List<ParameterGroup<Tensor>> groups() {
    return List.of(group);
  }

  @Override
  public Optional<Summary> summary() {
    return Optional.of(Summary.of(store.model()));
  }

  /// @throws UnsupportedOperationException always: the servers have the optimizer's state, and
  ///     would replace restored values at the next pull
  @Override
  public void addTo(Checkpoint checkpoint) {
    throw new UnsupportedOperationException(
        "trainer: parameters on servers have no checkpoints yet; save store.model().state(), and to"
            + " continue from it load it into the model before the first trainer joins the store");
  }
}
