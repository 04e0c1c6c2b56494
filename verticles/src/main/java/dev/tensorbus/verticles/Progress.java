// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import java.util.List;

/// Where a worker reports how far it is. Safe to call on any thread; never blocks for long.
public interface Progress {
  /// Adds `steps` more to do; the reports of all workers of a world are added up.
  void start(long steps);

  /// One step is done.
  ///
  /// @param samples how many examples it learned from
  /// @param loss its loss, before the step
  void step(int samples, float loss);

  /// A value was measured after the steps that are done.
  ///
  /// @param tag the name of its curve, such as `accuracy`
  default void scalar(String tag, double value) {}

  /// Says a line that the user should read, such as a result.
  default void say(String line) {}

  /// Reports to each of these, in their order.
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

  /// Reports to nobody.
  Progress NONE = all(List.of());
}
