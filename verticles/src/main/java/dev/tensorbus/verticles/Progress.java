// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.List;

/// Receives the progress of a worker. May be called on any thread; must not block for long.
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

  /// Shows a line to the user, such as a result.
  default void say(String line) {}

  /// Returns a progress that forwards each report to the given listeners, in order.
  static Progress all(List<Progress> listeners) {
    List<Progress> all = List.copyOf(listeners);
    return new Progress() {
      @Override
      public void start(long steps) {
        all.forEach(listener -> listener.start(steps));
      }

      @Override
      public void step(int samples, float loss) {
        all.forEach(listener -> listener.step(samples, loss));
      }

      @Override
      public void scalar(String tag, double value) {
        all.forEach(listener -> listener.scalar(tag, value));
      }

      @Override
      public void say(String line) {
        all.forEach(listener -> listener.say(line));
      }
    };
  }

  /// A progress that discards all reports.
  Progress NONE = all(List.of());
}
