// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

/// A metric of predicted classes that ignores one label.
public interface LabelMetric extends Metric {
  /// Returns the ignored label, which must be the loss's. Default: -100, as for
  /// [losses][dev.tensorbus.nn.loss.CrossEntropyLoss].
  long ignoreIndex();
}
