// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.List;

/// The progress of a worker's training. What is reported to [Rpc#progress] appears on the page, in
/// the metrics and curves, and in the terminal.
///
/// ```java
/// rpc.progress().start(batches.size());
/// for (Batch batch : batches) {
///   rpc.progress().step(batch.size(), learn(batch).item());
/// }
/// rpc.progress().scalar("accuracy", accuracy);
/// ```
///
/// May be called on any thread. Implementations must not block for long.
public interface Progress {
  /// Announces `steps` more steps; the announcements of all workers of a world are added up.
  void start(long steps);

  /// Reports a completed step.
  ///
  /// @param samples the number of examples in the step
  /// @param loss the loss before the weights were updated
  void step(int samples, float loss);

  /// Reports a value measured after the latest step.
  ///
  /// @param tag the name of its curve, such as `accuracy`
  default void scalar(String tag, double value) {}

  /// Describes the run, for the page and to compare runs: reports a setting, or a text such as the
  /// summary of the model.
  ///
  /// @param name such as `batch size` or `model`; a later text replaces an earlier one
  default void describe(String name, String text) {}

  /// Shows a line to the user, such as a result.
  default void say(String line) {}

  /// Returns a progress that forwards each report to the given listeners, in order.
  static Progress all(List<Progress> listeners) {
    ProgressListeners all = new ProgressListeners();
    listeners.forEach(all::add);
    return all;
  }

  /// A progress that discards all reports.
  Progress NONE = all(List.of());
}
