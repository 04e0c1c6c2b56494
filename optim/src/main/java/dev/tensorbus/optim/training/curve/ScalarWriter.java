// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.curve;

import dev.tensorbus.optim.training.Epoch;
import dev.tensorbus.optim.training.TrainerListener;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Writes the scalars of a training run to a file. As a listener of a trainer, it writes `loss`
/// after each step. After each epoch, it writes `learning_rate`, `samples_per_second` and the
/// validation scores: `validation/loss`, `validation/accuracy` and so on.
///
/// Each call issues a single write to the operating system, so readers see each record immediately,
/// and a killed process leaves no partial record.
///
/// Thread-safe. Do not call it on an event loop, which a slow disk would block.
public abstract sealed class ScalarWriter implements TrainerListener, AutoCloseable
    permits SummaryWriter, JsonLinesWriter {
  private final Path file;
  private final OutputStream out;

  /// Opens the file.
  ///
  /// @param option `CREATE_NEW` if the file must not exist yet, otherwise `CREATE`
  /// @throws UncheckedIOException if the file cannot be written
  ScalarWriter(Path file, StandardOpenOption option) {
    this.file = file;
    try {
      out = Files.newOutputStream(file, option, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be written (%s); use a path in an existing, writable folder"
              .formatted(file, e),
          e);
    }
  }

  /// Encodes one record.
  abstract byte[] encode(Instant time, Map<String, Double> values, long step);

  /// Adds one value. Like torch's `add_scalar`.
  ///
  /// @param tag the name of the curve
  /// @param step the step on the x-axis
  /// @throws UncheckedIOException if the file cannot be written, or is closed
  public final void addScalar(String tag, double value, long step) {
    addScalars(Map.of(tag, value), step);
  }

  /// Adds several values of one step.
  ///
  /// @param values the values, by tag
  /// @param step the step on the x-axis
  /// @throws UncheckedIOException if the file cannot be written, or is closed
  public final void addScalars(Map<String, Double> values, long step) {
    write(encode(Instant.now(), values, step));
  }

  final synchronized void write(byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be written (%s); check whether it is closed or the disk is full"
              .formatted(file, e),
          e);
    }
  }

  @Override
  public final void onStep(long step, double loss) {
    addScalar("loss", loss, step);
  }

  @Override
  public final void onEpoch(Epoch epoch) {
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("learning_rate", epoch.learningRate());
    values.put("samples_per_second", epoch.samplesPerSecond());
    values.putAll(epoch.scalars());
    addScalars(values, epoch.steps());
  }

  /// Closes the file.
  @Override
  public final void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
