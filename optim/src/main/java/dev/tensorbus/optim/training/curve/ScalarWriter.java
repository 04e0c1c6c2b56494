// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.curve;

import dev.tensorbus.optim.training.Epoch;
import dev.tensorbus.optim.training.Scores;
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

/// Writes the numbers of a training to a file, for curves. As the listener of a trainer it writes
/// `loss` after each step. After each epoch it writes `learning_rate`, `samples_per_second` and
/// what validation measures: `validation/loss`, `validation/accuracy` and so on.
///
/// Each addition is one write to the operating system. So readers see it at once, and a process
/// that is killed leaves a file of whole additions.
///
/// Safe to call on any thread, but not for event loops: a slow disk blocks.
public abstract sealed class ScalarWriter implements TrainerListener, AutoCloseable
    permits SummaryWriter, JsonLinesWriter {
  private final Path file;
  private final OutputStream out;

  /// Opens the file.
  ///
  /// @param option whether it may be there already
  /// @throws UncheckedIOException if it cannot be written
  ScalarWriter(Path file, StandardOpenOption option) {
    this.file = file;
    try {
      out = Files.newOutputStream(file, option, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be written (%s); give one in a folder that exists and that you may write to"
              .formatted(file, e),
          e);
    }
  }

  /// The bytes of one addition.
  abstract byte[] encode(Instant time, Map<String, Double> values, long step);

  /// Adds one value that was measured after a step. After torch's `add_scalar`.
  ///
  /// @param tag the name of the curve
  /// @param step the place on the curve
  /// @throws UncheckedIOException if the file cannot be written, or is closed
  public final void addScalar(String tag, double value, long step) {
    addScalars(Map.of(tag, value), step);
  }

  /// Adds the values that were measured after a step.
  ///
  /// @param values by their tags
  /// @param step the place on all these curves
  /// @throws UncheckedIOException if the file cannot be written, or is closed
  public final void addScalars(Map<String, Double> values, long step) {
    write(encode(Instant.now(), values, step));
  }

  final synchronized void write(byte[] bytes) {
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s cannot be written (%s); see whether it is closed, or the disk full"
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
    Scores validation = epoch.validation();
    if (validation != null) {
      values.put("validation/loss", validation.loss());
      validation.metrics().forEach((name, value) -> values.put("validation/" + name, value));
    }
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
