// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.verticles.progress.Display;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Remembers what a user would see. A file tells processes of the first warning.
final class RecordingDisplay implements Display {
  final List<String> lines = new CopyOnWriteArrayList<>();
  private final Path warned;

  RecordingDisplay(Path warned) {
    this.warned = warned;
  }

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
    try {
      Files.writeString(warned, line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {}
}
