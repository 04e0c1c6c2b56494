// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.models.data.Batch;
import dev.tensorbus.nn.loss.CrossEntropyLoss;
import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.nn.loss.LossReduction;
import dev.tensorbus.nn.loss.NllLoss;
import dev.tensorbus.optim.training.metric.LabelMetric;
import dev.tensorbus.optim.training.metric.Metric;
import java.util.List;
import java.util.function.UnaryOperator;

/// Compares a model's output with the targets of a [Batch].
///
/// @param forward runs the model
/// @param metrics the metrics that a validation updates
record Supervised(UnaryOperator<Tensor> forward, Loss loss, List<Metric> metrics)
    implements TrainingStep<Batch> {
  @Override
  public Tensor loss(Batch batch) {
    return loss.forward(forward.apply(batch.inputs()), batch.targets());
  }

  @Override
  public Tensor validationLoss(Batch batch) {
    Tensor predicted = forward.apply(batch.inputs());
    metrics.forEach(metric -> metric.update(predicted, batch.targets()));
    return loss.forward(predicted, batch.targets());
  }

  @Override
  public int size(Batch batch) {
    return batch.size();
  }

  @Override
  public double weight(Batch batch) {
    return loss.weight(batch.targets());
  }

  @Override
  public LossReduction reduction() {
    return loss.reduction();
  }

  /// Checks that a metric ignores the same labels as the loss.
  ///
  /// @throws IllegalArgumentException if it does not
  void requireSameIgnored(Metric metric) {
    long ignored =
        switch (loss) {
          case CrossEntropyLoss of -> of.ignoreIndex();
          case NllLoss of -> of.ignoreIndex();
          default -> Long.MIN_VALUE;
        };
    if (metric instanceof LabelMetric labels
        && ignored != Long.MIN_VALUE
        && labels.ignoreIndex() != ignored) {
      throw new IllegalArgumentException(
          "metric %s ignores label %d, but the loss %d; call the metric's withIgnoreIndex(%d)"
              .formatted(metric.name(), labels.ignoreIndex(), ignored, ignored));
    }
  }
}
