// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.Spread;
import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `tensorbus bench starts NAME...`: runs benchmarks in new JVMs, again and again, and prints the
/// spread of each figure. Starts of one benchmark differ: what C2 makes of a loop depends on the
/// code that ran before, and memory that is touched for the first time is slow.
///
/// @param count the number of starts
/// @param arguments the command line of a start
record Starts(int count, List<String> arguments) {
  /// The word that precedes the names of the benchmarks.
  static final String NAME = "starts";

  static final Setting COUNT =
      new Setting("starts", "N", new SettingType.Whole(2, 1000), 20, "number of starts");

  /// Runs all starts, prints the spreads, and returns the exit code of the last start.
  int run() throws IOException, InterruptedException {
    Map<String, List<Figure>> figures = new LinkedHashMap<>();
    for (int start = 1; start <= count; start++) {
      System.err.println("starts: " + start + " of " + count);
      int code = run(figures);
      if (code != 0) {
        return code;
      }
    }
    figures.values().forEach(each -> Spread.of(each).figures().forEach(IO::println));
    return 0;
  }

  private int run(Map<String, List<Figure>> figures) throws IOException, InterruptedException {
    List<String> command = Jvm.current().command(Bench.class.getName(), arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines = process.inputReader()) {
      lines
          .lines()
          .filter(Figure::isFigure)
          .map(Figure::parse)
          .forEach(
              figure -> figures.computeIfAbsent(figure.name(), _ -> new ArrayList<>()).add(figure));
    }
    return process.waitFor();
  }
}
