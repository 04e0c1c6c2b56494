// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.server.Killer.Killed;
import java.util.Locale;

/// Draws the samples per second of a run, and its kills, as SVG.
final class GoodputPlot {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 260;
  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int PLOT_WIDTH = WIDTH - LEFT - 20;
  private static final int PLOT_HEIGHT = HEIGHT - TOP - 40;

  /// The time of a point, in seconds.
  private static final int BIN = 5;

  private final Goodput run;
  private final double seconds;
  private final double top;

  private GoodputPlot(Goodput run) {
    this.run = run;
    seconds = (run.end() - run.start()) / 1e9;
    top = 1.25 * run.speed(run.start(), run.firstKill());
  }

  /// Returns the plot.
  ///
  /// @param title a line above it
  static String svg(Goodput run, String title) {
    return new GoodputPlot(run).draw(title);
  }

  private String draw(String title) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                + " font-family=\"sans-serif\" font-size=\"12\">\n<title>%s</title>\n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n")
            .formatted(WIDTH, HEIGHT, title));
    text(svg, LEFT, 20, "start", title);
    for (Killed kill : run.kills()) {
      String color =
          switch (kill.role()) {
            case SERVER -> "#d62728";
            case LEADER -> "#9467bd";
            case TRAINER -> "#ff7f0e";
          };
      double x = x((kill.at() - run.start()) / 1e9);
      line(svg, x, TOP, x, TOP + PLOT_HEIGHT, color);
    }
    svg.append("<polyline fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"1.5\" points=\"");
    for (int second = 0; second + BIN <= seconds; second += BIN) {
      long from = run.start() + second * 1_000_000_000L;
      double speed = run.speed(from, from + BIN * 1_000_000_000L);
      svg.append("%s,%s ".formatted(number(x(second + BIN / 2.0)), number(y(speed))));
    }
    svg.append("\"/>\n");
    axes(svg);
    return svg.append("</svg>\n").toString();
  }

  private void axes(StringBuilder svg) {
    line(svg, LEFT, TOP, LEFT, TOP + PLOT_HEIGHT, "black");
    line(svg, LEFT, TOP + PLOT_HEIGHT, LEFT + PLOT_WIDTH, TOP + PLOT_HEIGHT, "black");
    double full = top / 1.25;
    text(svg, LEFT - 6, y(full) + 4, "end", "%,.0f".formatted(full));
    text(svg, LEFT - 6, y(0) + 4, "end", "0");
    text(svg, LEFT - 6, TOP - 6, "middle", "samples/s");
    int minutes = Math.max(1, (int) (seconds / 60 / 6));
    for (int minute = 0; minute * 60 <= seconds; minute += minutes) {
      text(svg, x(minute * 60.0), TOP + PLOT_HEIGHT + 16, "middle", minute + " min");
    }
    text(
        svg,
        LEFT + PLOT_WIDTH,
        TOP + PLOT_HEIGHT + 32,
        "end",
        "killed: server (red), leader of the servers (violet), trainer (orange)");
  }

  private double x(double second) {
    return LEFT + PLOT_WIDTH * second / seconds;
  }

  private double y(double speed) {
    return TOP + PLOT_HEIGHT * (1 - Math.min(1, speed / top));
  }

  private static void line(
      StringBuilder svg, double x1, double y1, double x2, double y2, String color) {
    svg.append(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/>\n"
            .formatted(number(x1), number(y1), number(x2), number(y2), color));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
            .formatted(number(x), number(y), anchor, text));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
