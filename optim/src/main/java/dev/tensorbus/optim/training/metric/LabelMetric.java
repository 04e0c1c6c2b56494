// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

/// A metric of predicted classes that ignores one label.
public interface LabelMetric extends Metric {
  /// Returns the ignored label, which must equal the label that the loss ignores. The default is
  /// -100, as in [losses][dev.tensorbus.nn.loss.CrossEntropyLoss].
  long ignoreIndex();
}
