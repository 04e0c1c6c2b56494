// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// What compiled steps log while this is open. Tests that run beside this one are heard, too.
public final class CompiledLog extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.tensorbus.autograd.onnx");
  private final List<String> lines = new CopyOnWriteArrayList<>();

  public CompiledLog() {
    logger.setLevel(Level.INFO); // of this JVM from now on: others may listen, too
    logger.addHandler(this);
  }

  /// Checks that steps with these inputs were compiled, and none ran in Java for a reason.
  public void requireCompiled(String inputs) {
    assertThat(lines)
        .anyMatch(line -> line.startsWith("compiled a step for inputs " + inputs))
        .noneMatch(line -> line.contains(inputs) && line.contains("run in Java"));
  }

  @Override
  public void publish(LogRecord entry) {
    lines.add(new SimpleFormatter().formatMessage(entry));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
