// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.verticles.progress.Display;

/// Shows figures on standard output and everything else on standard error.
final class FigureDisplay implements Display {
  FigureDisplay() {}

  @Override
  public void start(long steps) {}

  @Override
  public void step(int samples, float loss) {}

  @Override
  public void say(String line) {
    (Figure.isFigure(line) ? System.out : System.err).println(line);
  }

  @Override
  public void warn(String line) {
    System.err.println(line);
  }

  @Override
  public void close() {}
}
