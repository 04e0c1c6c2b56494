// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.verticles.Progress;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Says when things happened, for people who follow a round. A round may take a fraction of a
/// millisecond, so no time is written where nobody reads.
record TimedLog(Progress progress) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  void timedLog(String text) {
    if (!progress.equals(Progress.NONE)) {
      progress.say(TIME.format(LocalTime.now(ZoneId.systemDefault())) + " " + text);
    }
  }
}
