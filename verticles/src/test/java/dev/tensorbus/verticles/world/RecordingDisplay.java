// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.verticles.progress.Display;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Remembers what a user would see.
final class RecordingDisplay implements Display {
  final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public void start(long steps) {
    lines.add("start " + steps);
  }

  @Override
  public void step(int samples, float loss) {
    lines.add("step " + samples + " " + loss);
  }

  @Override
  public void say(String line) {
    lines.add(line);
  }

  @Override
  public void warn(String line) {
    lines.add("! " + line);
  }

  @Override
  public void close() {}
}
