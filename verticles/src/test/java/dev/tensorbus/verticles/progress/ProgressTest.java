// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void linesComeAtFixedStepsWithTheMeanLossSinceTheLast() {
    ProgressLines lines = new ProgressLines(out, out, nanos::get);
    lines.start(250);
    for (int step = 1; step <= 250; step++) {
      nanos.addAndGet(10_000_000);
      lines.step(32, step <= 100 ? 2 : 1);
    }
    assertThat(bytes.toString(UTF_8))
        .isEqualToNormalizingNewlines(
            """
            step 100/250  loss 2.0000  3200 samples/s  0:01 left
            step 200/250  loss 1.0000  3200 samples/s  0:00 left
            step 250/250  loss 1.0000  3200 samples/s  0:00 left
            """);
  }

  @Test
  void whatOneProcessReportsAnotherShows() {
    try (ProgressEvents events = new ProgressEvents(out, out)) {
      events.start(1);
      events.step(64, 0.12345678f);
      events.scalar("test accuracy", 0.98);
      events.say("test accuracy 0.98");
      events.reach(Stage.FINISHED);
    }
    ByteArrayOutputStream direct = new ByteArrayOutputStream();
    ProgressEvents shown = new ProgressEvents(new PrintStream(direct, true, UTF_8), out);
    bytes.toString(UTF_8).lines().forEach(line -> assertThat(relayed(line, shown)).isTrue());
    assertThat(direct.toString(UTF_8)).isEqualTo(bytes.toString(UTF_8));
    assertThat(relayed("a line of its own", shown)).isFalse();
  }

  @Test
  void onATerminalABarShowsLossAndSpeed() {
    try (TerminalProgress progress = new TerminalProgress(out, out)) {
      progress.start(2);
      progress.step(32, 0.5f);
      progress.say("a line above");
      progress.step(32, 0.25f);
    }
    assertThat(bytes.toString(UTF_8))
        .contains("training", "2/2", "loss 0.3750", "samples/s", "a line above");
  }

  private static boolean relayed(String line, Display display) {
    return ProgressEvents.relay(line, display, display::reach);
  }
}
