// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.verticles.Progress;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Supplier;

/// Says when what happened, for people who follow a round. A round may take a fraction of a
/// millisecond, so nothing is written that nobody reads.
record TimedLog(Progress progress) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  void timedLog(Supplier<String> text) {
    if (!progress.equals(Progress.NONE)) {
      progress.say(TIME.format(LocalTime.now(ZoneId.systemDefault())) + " " + text.get());
    }
  }
}
