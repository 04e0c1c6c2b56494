// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.optim.training.curve.JsonLinesWriter;
import dev.tensorbus.optim.training.curve.ScalarWriter;
import dev.tensorbus.optim.training.curve.SummaryWriter;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.UsageException;
import dev.tensorbus.verticles.WorkerOptions;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Shows a training on another display and writes its curves to the files named in the options. If
/// a file can no longer be written, for example on a full disk, this display warns and the training
/// continues.
public final class RecordedDisplay implements Display {
  /// The minimum interval over which the speed is measured. Over a shorter one, it would be too
  /// noisy.
  private static final Duration SPEED_INTERVAL = Duration.ofSeconds(1);

  private final Display display;
  private final List<ScalarWriter> writers = new ArrayList<>();
  private final Meter meter = new Meter(NanoClock.SYSTEM);

  /// Opens the files.
  ///
  /// @param display the other display; closed with this one
  /// @throws UsageException if a file cannot be written
  public RecordedDisplay(Display display, WorkerOptions options) {
    this.display = display;
    open(options, Setting.TENSORBOARD, SummaryWriter::new);
    open(options, Setting.LOG, JsonLinesWriter::new);
  }

  private void open(WorkerOptions options, Setting setting, Function<Path, ScalarWriter> writer) {
    try {
      options.path(setting).map(writer).ifPresent(writers::add);
    } catch (UncheckedIOException e) {
      throw new UsageException(setting.option() + ": " + e.getMessage());
    }
  }

  @Override
  public synchronized void start(long steps) {
    meter.start(steps);
    display.start(steps);
  }

  @Override
  public synchronized void step(int samples, float loss) {
    meter.step(samples, loss);
    display.step(samples, loss);
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("loss", (double) loss);
    boolean isLast = meter.done() == meter.total();
    if (isLast || meter.sinceTaken().compareTo(SPEED_INTERVAL) >= 0) {
      values.put("samples_per_second", meter.take().samplesPerSecond());
    }
    record(values);
  }

  @Override
  public synchronized void scalar(String tag, double value) {
    display.scalar(tag, value);
    record(Map.of(tag, value));
  }

  private void record(Map<String, Double> values) {
    writers.removeIf(writer -> !isRecorded(writer, values));
  }

  private boolean isRecorded(ScalarWriter writer, Map<String, Double> values) {
    try {
      writer.addScalars(values, meter.done());
      return true;
    } catch (UncheckedIOException e) {
      display.warn("warning: " + e.getMessage() + "; no more curves are written to it");
      writer.close();
      return false;
    }
  }

  @Override
  public void say(String line) {
    display.say(line);
  }

  @Override
  public void warn(String line) {
    display.warn(line);
  }

  @Override
  public synchronized void close() {
    writers.forEach(ScalarWriter::close);
    writers.clear();
    display.close();
  }
}
