// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.profiler;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Formats a profile as a text table.
final class EventTable {
  private static final int LONGEST_NAME = 80;

  private EventTable() {}

  /// Returns a table of at most `most` rows, those with the largest self times.
  static String of(Profile profile, int most) {
    List<FunctionEventAvg> averages = profile.keyAverages();
    double all = averages.stream().mapToLong(FunctionEventAvg::selfNanos).sum();
    List<List<String>> rows = new ArrayList<>();
    rows.add(head(profile.options()));
    averages.stream().limit(most).forEach(row -> rows.add(row(row, all, profile.options())));
    StringBuilder text = new StringBuilder();
    int[] widths = widths(rows);
    rows.forEach(row -> append(row, widths, text));
    if (averages.size() > most) {
      text.append("%d more names%n".formatted(averages.size() - most));
    }
    if (profile.leftOut() > 0) {
      text.append("%d later events are left out%n".formatted(profile.leftOut()));
    }
    if (!profile.missing().isEmpty()) {
      text.append("no events received from %s%n".formatted(String.join(", ", profile.missing())));
    }
    return text.toString();
  }

  private static List<String> head(ProfilerOptions options) {
    List<String> head =
        new ArrayList<>(List.of("name", "self %", "self", "total", "mean", "calls"));
    if (options.profileMemory()) {
      head.add("memory");
    }
    if (options.recordShapes()) {
      head.add("shapes");
    }
    return head;
  }

  private static List<String> row(FunctionEventAvg event, double all, ProfilerOptions options) {
    List<String> row =
        new ArrayList<>(
            List.of(
                shortened(event.name()),
                String.format(Locale.ROOT, "%.1f", 100 * event.selfNanos() / Math.max(1, all)),
                time(event.selfNanos()),
                time(event.nanos()),
                time(event.nanos() / event.calls()),
                Long.toString(event.calls())));
    if (options.profileMemory()) {
      row.add(String.format(Locale.ROOT, "%.1f KiB", event.bytes() / 1024.0));
    }
    if (options.recordShapes()) {
      row.add(event.shapes());
    }
    return row;
  }

  /// Shortens a long name at its start, since the end is more specific.
  private static String shortened(String name) {
    return name.length() <= LONGEST_NAME
        ? name
        : "…" + name.substring(name.length() - LONGEST_NAME + 1);
  }

  private static String time(long nanos) {
    return nanos < 1_000_000
        ? String.format(Locale.ROOT, "%.1f us", nanos / 1e3)
        : String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }

  /// Appends a row: the name left-aligned, the other columns right-aligned.
  private static void append(List<String> row, int[] widths, StringBuilder to) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String cell = row.get(column);
      String space = " ".repeat(widths[column] - cell.length());
      line.append(column == 0 ? cell + space : "  " + space + cell);
    }
    to.append(line.toString().stripTrailing()).append('\n');
  }
}
