// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

/// A measure of predicted classes, of which one label does not count.
public interface LabelMetric extends Metric {
  /// The label that does not count: that of the loss. -100 by default, as for
  /// [losses][dev.tensorbus.nn.loss.CrossEntropyLoss].
  long ignoreIndex();
}
