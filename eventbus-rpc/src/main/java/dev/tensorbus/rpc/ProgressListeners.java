// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Forwards each report to listeners, in order.
final class ProgressListeners implements Progress {
  private final List<Progress> listeners = new CopyOnWriteArrayList<>();

  void add(Progress listener) {
    listeners.add(listener);
  }

  @Override
  public void start(long steps) {
    listeners.forEach(listener -> listener.start(steps));
  }

  @Override
  public void step(int samples, float loss) {
    listeners.forEach(listener -> listener.step(samples, loss));
  }

  @Override
  public void scalar(String tag, double value) {
    listeners.forEach(listener -> listener.scalar(tag, value));
  }

  @Override
  public void describe(String name, String text) {
    listeners.forEach(listener -> listener.describe(name, text));
  }

  @Override
  public void say(String line) {
    listeners.forEach(listener -> listener.say(line));
  }
}
