// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.io.PrintStream;
import java.util.Locale;

/// Prints a line every hundred steps, for files and pipes. The interval is a number of steps, not a
/// time, so that equal runs print equal losses.
final class ProgressLines implements Display {
  private static final int INTERVAL = 100;

  private final PrintStream out;
  private final PrintStream err;
  private final Meter meter;

  ProgressLines(PrintStream out, PrintStream err, NanoClock clock) {
    this.out = out;
    this.err = err;
    this.meter = new Meter(clock);
  }

  @Override
  public synchronized void start(long steps) {
    meter.start(steps);
  }

  @Override
  public synchronized void step(int samples, float loss) {
    meter.step(samples, loss);
    if (meter.done() % INTERVAL == 0 || meter.done() == meter.total()) {
      out.println(line(meter.done(), meter.total(), meter.take()));
    }
  }

  /// Formats a line; omits the total if it is unknown.
  private static String line(long done, long total, Meter.Reading reading) {
    String speed =
        String.format(
            Locale.ROOT, "loss %.4f  %.0f samples/s", reading.loss(), reading.samplesPerSecond());
    if (total == 0) {
      return "step %d  %s".formatted(done, speed);
    }
    int width = Long.toString(total).length();
    return String.format(
        Locale.ROOT,
        "step %" + width + "d/%d  %s  %d:%02d left",
        done,
        total,
        speed,
        reading.left().toMinutes(),
        reading.left().toSecondsPart());
  }

  @Override
  public synchronized void say(String line) {
    out.println(line);
  }

  @Override
  public synchronized void warn(String line) {
    err.println(line);
  }

  @Override
  public void close() {}
}
