// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.rpc.Progress;
import java.io.PrintStream;
import java.util.function.Consumer;

/// Sends progress from a worker's process to its launcher, which shows it: one line per event on
/// standard output, between the lines that the worker prints.
public final class ProgressEvents implements Display {
  /// The JVM flag that makes a worker print events, for a launcher that reads them.
  public static final String FLAG = "-Dtensorbus.progress=events";

  private static final String MARK = "@tensorbus ";
  private static final String START = MARK + "start ";
  private static final String STEP = MARK + "step ";
  private static final String SCALAR = MARK + "scalar ";
  private static final String SAY = MARK + "say ";
  private static final String REACH = MARK + "reach ";

  private final PrintStream out;
  private final PrintStream err;

  ProgressEvents(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  static boolean areWanted() {
    return "events".equals(System.getProperty("tensorbus.progress"));
  }

  /// Shows a worker's event on `display`; returns false if the line is not an event.
  ///
  /// @param stages is notified of the stages that the worker reaches
  public static boolean relay(String line, Progress display, Consumer<Stage> stages) {
    if (line.startsWith(STEP)) {
      String[] numbers = line.substring(STEP.length()).split(" ", 2);
      display.step(Integer.parseInt(numbers[0]), Float.parseFloat(numbers[1]));
    } else if (line.startsWith(START)) {
      display.start(Long.parseLong(line.substring(START.length())));
    } else if (line.startsWith(SCALAR)) {
      String[] words = line.substring(SCALAR.length()).split(" ", 2);
      display.scalar(words[1], Double.parseDouble(words[0]));
    } else if (line.startsWith(SAY)) {
      display.say(line.substring(SAY.length()));
    } else if (line.startsWith(REACH)) {
      stages.accept(Stage.valueOf(line.substring(REACH.length())));
    } else {
      return false;
    }
    return true;
  }

  @Override
  public void start(long steps) {
    out.println(START + steps);
  }

  @Override
  public void step(int samples, float loss) {
    out.println(STEP + samples + " " + loss);
  }

  @Override
  public void scalar(String tag, double value) {
    out.println(SCALAR + value + " " + tag);
  }

  @Override
  public void say(String line) {
    out.println(SAY + line);
  }

  @Override
  public void reach(Stage stage) {
    out.println(REACH + stage);
  }

  @Override
  public void warn(String line) {
    err.println(line);
  }

  @Override
  public void close() {}
}
