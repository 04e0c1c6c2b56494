// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import java.util.Collection;
import java.util.List;

/// A figure of several starts of a benchmark: its best, median and worst value.
///
/// @param figure the median
public record Spread(Figure figure, double best, double worst) {
  /// Returns the spread of values of the same figure.
  public static Spread of(Collection<Figure> starts) {
    Figure any = starts.iterator().next();
    double[] values = starts.stream().mapToDouble(Figure::value).sorted().toArray();
    double least = values[0];
    double most = values[values.length - 1];
    Figure median = new Figure(any.name(), values[values.length / 2], any.unit());
    return any.isRate() ? new Spread(median, most, least) : new Spread(median, least, most);
  }

  /// Returns how many times as long the worst start took as the median one.
  double slowdown() {
    return figure.isRate() ? figure.value() / worst : worst / figure.value();
  }

  /// Returns the figures to print.
  public List<Figure> figures() {
    return List.of(
        part("best", best, figure.unit()),
        part("median", figure.value(), figure.unit()),
        part("worst", worst, figure.unit()),
        part("slowdown", slowdown(), "ratio"));
  }

  private Figure part(String suffix, double value, String unit) {
    return new Figure(figure.name() + "." + suffix, value, unit);
  }
}
