// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.loss.LossReduction;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.checkpoint.Checkpoint;
import dev.tensorbus.optim.checkpoint.Contents;
import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.parallel.DistributedDataParallel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Trains one of several data-parallel copies of a model.
final class CopyStrategy implements Strategy {
  private final DistributedDataParallel<? extends Layer> copy;
  private final LocalStrategy local;

  CopyStrategy(DistributedDataParallel<? extends Layer> copy, OptimizerSpec spec) {
    this.copy = copy;
    this.local = new LocalStrategy(copy.layer(), spec);
  }

  /// Gradients and losses of all copies are exchanged in one message. All copies receive the same
  /// loss and therefore make the same decisions.
  @Override
  public <B> TotalLoss step(List<B> batches, TrainingStep<B> step, @Nullable Clipping clipping) {
    boolean isSum = step.reduction() == LossReduction.SUM;
    // The copies' gradients are averaged, but the gradient of a summed loss is their sum.
    Consumer<Tensor> backward =
        isSum ? value -> value.scale(copy.size()).backward() : Tensor::backward;
    List<TotalLoss> own = new ArrayList<>();
    copy.noSync(() -> own.add(local.backward(batches, step, backward)));
    double weight = own.getFirst().weight();
    double[] sums = copy.averageGradients(isSum ? 1 : weight, own.getFirst().sum(), weight);
    TotalLoss total = new TotalLoss(isSum, sums[0], sums[1]);
    local.update(total, clipping);
    return total;
  }

  @Override
  public Progress progress() {
    return copy.rpc().progress();
  }

  @Override
  public List<ParameterGroup<Tensor>> groups() {
    return local.groups();
  }

  @Override
  public Optional<Layer> model() {
    return local.model();
  }

  @Override
  public void addTo(Checkpoint checkpoint) {
    local.addTo(checkpoint);
  }

  @Override
  public void requireComplete() {
    local.requireComplete();
  }

  @Override
  public boolean isFirst() {
    return copy.isFirst();
  }

  @Override
  public <T> Map<String, T> gather(T value) {
    return copy.allGather(value);
  }

  /// The first copy reads the checkpoint and sends it to the others, which may not share its disk.
  /// If one copy fails, all fail.
  @Override
  public boolean restore(Checkpoint checkpoint, Supplier<Optional<Path>> newest) {
    List<Contents> read = new ArrayList<>(); // has one element if this copy has read a checkpoint
    Attempt reading =
        Attempt.of(
            () -> {
              if (isFirst() && Strategy.super.restore(checkpoint, newest)) {
                read.add(checkpoint.contents());
              }
            });
    requireSuccess(reading);
    List<Contents> first = gather(read).values().iterator().next();
    requireSuccess(Attempt.of(() -> (isFirst() ? read : first).forEach(checkpoint::load)));
    return !first.isEmpty();
  }

  private void requireSuccess(Attempt own) {
    Map<String, String> problems = gather(own.problem());
    if (own.error() != null) {
      throw own.error();
    }
    problems.forEach(
        (worker, problem) -> {
          if (!problem.isEmpty()) {
            throw new IllegalStateException("resume: %s failed: %s".formatted(worker, problem));
          }
        });
  }

  /// The outcome of an action that every copy runs.
  private record Attempt(@Nullable RuntimeException error) {
    private static Attempt of(Runnable body) {
      try {
        body.run();
        return new Attempt(null);
      } catch (RuntimeException e) {
        return new Attempt(e);
      }
    }

    private String problem() {
      return error == null ? "" : String.valueOf(error.getMessage());
    }
  }
}
