// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.CompiledLoss;
import dev.tensorbus.autograd.onnx.Device;
import dev.tensorbus.models.data.Records;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.loss.LossReduction;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Computes the losses of another training step together with their gradients, on a device. The
/// tensors of a batch are the inputs of a [CompiledLoss]. Must be closed to free native memory.
///
/// @param <B> type of a batch
final class CompiledTrainingStep<B> implements TrainingStep<B>, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CompiledTrainingStep.class.getName());

  private final TrainingStep<B> step;
  private final CompiledLoss compiled;

  /// The current batch, which a trace rebuilds with other tensors.
  private @Nullable B current;

  /// The names of the tensors in the first batch.
  private @Nullable Set<String> names;

  private boolean hasWarned;

  CompiledTrainingStep(TrainingStep<B> step, Layer model, Device device) {
    this.step = step;
    this.compiled = CompiledLoss.ofAll(model, this::traced, device);
  }

  private Tensor traced(List<Tensor> tensors) {
    return step.loss(Records.withTensors(Objects.requireNonNull(current), tensors));
  }

  /// Runs a batch in Java if it has other tensors than the first one, such as a longer list: the
  /// graph does not know which tensor is which.
  ///
  /// @throws IllegalArgumentException if a part of the batch is not a tensor: the graph would not
  ///     notice when it changes
  @Override
  public Tensor loss(B batch) {
    Map<String, Tensor> tensors = tensors(batch);
    names = names == null ? tensors.keySet() : names;
    if (!tensors.keySet().equals(names)) {
      warnOnce(tensors.keySet());
      return step.loss(batch);
    }
    current = batch;
    return compiled.forward(tensors.values().toArray(Tensor[]::new));
  }

  private static Map<String, Tensor> tensors(Object batch) {
    try {
      return Records.tensors(batch);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "compiled: "
              + e.getMessage()
              + "; make numbers tensors and leave other parts out, or train without compiled",
          e);
    }
  }

  private void warnOnce(Set<String> others) {
    if (!hasWarned) {
      hasWarned = true;
      LOG.log(
          Level.WARNING,
          "compiled: batches run in Java if their tensors, such as {0}, are not those of the first"
              + " batch, {1}",
          others,
          names);
    }
  }

  @Override
  public Tensor validationLoss(B batch) {
    return step.validationLoss(batch);
  }

  @Override
  public int size(B batch) {
    return step.size(batch);
  }

  @Override
  public double weight(B batch) {
    return step.weight(batch);
  }

  @Override
  public LossReduction reduction() {
    return step.reduction();
  }

  @Override
  public void close() {
    compiled.close();
  }
}
