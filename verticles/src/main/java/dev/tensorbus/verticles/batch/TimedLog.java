// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.batch;

import dev.tensorbus.rpc.Progress;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Prints timestamped lines, which show the course of a round. A round may take a fraction of a
/// millisecond, so the time is formatted only if the lines are shown.
record TimedLog(Progress progress) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  void timedLog(String text) {
    if (!progress.equals(Progress.NONE)) {
      progress.say(TIME.format(LocalTime.now(ZoneId.systemDefault())) + " " + text);
    }
  }
}
