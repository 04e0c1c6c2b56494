// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/// Shows a progress bar with loss, speed and time left on a terminal; other lines scroll past above
/// it.
final class TerminalProgress implements Display {
  private static final String CLEAR_LINE = "\r\u001b[K";
  private static final Duration REFRESH = Duration.ofMillis(500);

  /// The bar's maximum for an unknown number of steps.
  private static final long UNKNOWN = -1;

  private final PrintStream out;
  private final PrintStream err;
  private final Meter meter = new Meter(NanoClock.SYSTEM);
  private @Nullable ProgressBar bar;

  TerminalProgress(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public synchronized void start(long steps) {
    meter.start(steps);
    if (bar == null) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("training")
              .setStyle(ProgressBarStyle.UNICODE_BLOCK)
              .setUpdateIntervalMillis((int) REFRESH.toMillis())
              .setConsumer(new ConsoleProgressBarConsumer(out))
              .build();
    }
    bar.maxHint(meter.total() == 0 ? UNKNOWN : meter.total());
  }

  @Override
  public synchronized void step(int samples, float loss) {
    meter.step(samples, loss);
    if (bar == null) {
      return;
    }
    bar.stepTo(meter.done());
    boolean last = meter.done() == meter.total();
    if (last || meter.sinceTaken().compareTo(REFRESH) >= 0) {
      Meter.Reading reading = meter.take();
      bar.setExtraMessage(
          String.format(
              Locale.ROOT,
              "loss %.4f  %.0f samples/s",
              reading.loss(),
              reading.samplesPerSecond()));
    }
    if (last) {
      close();
    }
  }

  @Override
  public synchronized void say(String line) {
    print(out, line);
  }

  @Override
  public synchronized void warn(String line) {
    print(err, line);
  }

  private void print(PrintStream stream, String line) {
    if (bar != null) {
      out.print(CLEAR_LINE);
      out.flush();
    }
    stream.println(line);
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
