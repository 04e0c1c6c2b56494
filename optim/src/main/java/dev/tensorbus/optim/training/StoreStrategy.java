// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.server.ParameterStore;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.GradientNorms;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Trains a copy of a model whose parameters live on parameter servers, in one group or several.
final class StoreStrategy implements Strategy {
  private static final Logger LOG = System.getLogger(StoreStrategy.class.getName());

  private final Layer model;
  private final List<StoreGroup> groups;

  /// The store of the first group. If it has shards or local steps, there is no other one.
  private final ParameterStore<?> store;

  /// Has the state of the servers' optimizer while a checkpoint is saved or restored.
  private final Optimizer optimizer;

  /// The shards that this trainer has yet to compute.
  private SortedSet<Integer> open = new TreeSet<>();

  /// The number of steps that this trainer has taken without shards.
  private long taken;

  private Future<Void> writing = Future.succeededFuture();

  StoreStrategy(Layer model, List<? extends ParameterStore<?>> stores) {
    this.model = model;
    groups = StoreGroup.of(model, stores);
    store = stores.getFirst();
    optimizer = new Optimizer(groups.stream().map(StoreGroup::remote).toList());
    pull();
  }

  private void pull() {
    if (store.shards() > 0) {
      open = store.pullShards().await();
    } else {
      awaitAll(ParameterStore::pull);
    }
  }

  /// Sends a request to the servers of all groups, and waits until all are answered.
  private void awaitAll(Function<ParameterStore<?>, Future<Void>> request) {
    Future.join(groups.stream().map(group -> request.apply(group.store())).toList()).await();
  }

  /// The model's random numbers, such as those of dropout, depend on the step and the trainer, so
  /// that a resumed run has the same. The gradients are clipped before they are pushed. The newest
  /// values are pulled at the end, so that a validation sees them.
  @Override
  public <B> TotalLoss step(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    return store.rpc().span("step", () -> learn(batches, step, clipping));
  }

  private <B> TotalLoss learn(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    model.manualSeed(((long) store.rpc().self().name().hashCode() << 32) + taken++);
    TotalLoss total = backward(batches, step, clipping);
    if (groups.size() > 1) { // else the push checks
      groups.forEach(group -> group.store().requireFinite());
    }
    int examples = examples(total);
    awaitAll(each -> each.push(examples));
    awaitAll(ParameterStore::pull);
    return total;
  }

  private <B> TotalLoss backward(
      List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    TotalLoss total = Strategy.backward(batches, step, Tensor::backward);
    if (clipping != null) {
      clip(clipping);
    }
    groups.forEach(group -> group.store().setOptimizer(group.local().spec()));
    return total;
  }

  private static int examples(TotalLoss total) {
    return total.isSum() ? 0 : (int) Math.round(total.weight());
  }

  /// Computes this trainer's shards and, until the step is complete, those of trainers that die.
  @Override
  public <B> TotalLoss stepOver(
      IntFunction<List<B>> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    return store.shards() == 0
        ? step(batches.apply(0), step, clipping)
        : store.rpc().span("step", () -> learnShards(batches, step, clipping));
  }

  private <B> TotalLoss learnShards(
      IntFunction<List<B>> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    TotalLoss total = TotalLoss.none(step.reduction());
    long before = store.step();
    do {
      for (int shard : open) {
        TotalLoss loss = backward(batches.apply(shard), step, clipping);
        store.pushShard(shard, examples(loss));
        total = total.plus(loss);
      }
      open = store.pullShards().await();
    } while (store.step() == before);
    return total;
  }

  @Override
  public int shards() {
    return Math.max(1, store.shards());
  }

  @Override
  public OptionalLong steps() {
    return store.shards() == 0 ? OptionalLong.empty() : OptionalLong.of(store.step());
  }

  private void clip(Clipping clipping) {
    List<Tensor> parameters =
        optimizer.parameters().stream().filter(parameter -> parameter.grad() != null).toList();
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
    return groups.stream().map(StoreGroup::local).toList();
  }

  @Override
  public Optional<Layer> model() {
    return Optional.of(model);
  }

  @Override
  public void addTo(Checkpoint checkpoint) {
    checkpoint.withModel("model", model).withOptimizer("optimizer", optimizer);
    store.localOptimizer().ifPresent(local -> checkpoint.withOptimizer("local", local));
  }

  /// The first of the present trainers writes the checkpoints, so that another one does if it dies.
  @Override
  public boolean isFirst() {
    return store.isFirst().await();
  }

  @Override
  public boolean hasBegun() {
    return groups.stream().anyMatch(group -> group.store().hasBegun());
  }

  @Override
  public boolean fetch(long steps) {
    if (store.hasLocalSteps() || steps().orElse(steps) != steps) {
      return false;
    }
    try {
      optimizer.load(new OptimizerState(groups.stream().map(StoreGroup::fetch).toList()));
      return true;
    } catch (IllegalStateException e) {
      LOG.log(Level.WARNING, "no checkpoint after step {0}: {1}", steps, e.getMessage());
      return false;
    }
  }

  @Override
  public void resumeAt(long steps) {
    taken = steps;
    List<OptimizerState.Group> states = optimizer.state().groups();
    for (int i = 0; i < states.size(); i++) {
      groups.get(i).restore(states.get(i), steps);
    }
    pull();
  }

  /// Writes in the background, one checkpoint after another.
  @Override
  public void write(Runnable action) {
    writing.otherwiseEmpty().await();
    writing =
        Threads.system()
            .run("checkpoint-" + store.rpc().self().name(), action)
            .onFailure(
                error -> LOG.log(Level.WARNING, "a checkpoint is missing: " + error.getMessage()));
  }

  @Override
  public Future<Void> written() {
    return writing;
  }
}
