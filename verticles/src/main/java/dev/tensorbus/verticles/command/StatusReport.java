// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.rpc.observe.status.WaitTree;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.observe.status.WorldStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Formats the status of a world for a terminal.
final class StatusReport {
  private static final List<String> HEADER =
      List.of("rank", "worker", "host", "pid", "up", "calls", "serves", "queued", "lost");

  private StatusReport() {}

  /// Returns a table of the workers, the workers that did not answer, and the wait tree.
  static List<String> lines(WorldStatus world) {
    if (world.workers().isEmpty() && world.silent().isEmpty()) {
      return List.of("this world has no workers");
    }
    List<String> lines = new ArrayList<>(table(world.workers()));
    world.silent().forEach(name -> lines.add(name + " does not answer"));
    lines.add("");
    lines.addAll(WaitTree.lines(world));
    return lines;
  }

  private static List<String> table(List<WorkerStatus> workers) {
    List<List<String>> rows = new ArrayList<>(List.of(HEADER));
    workers.forEach(worker -> rows.add(row(worker)));
    List<Integer> widths =
        IntStream.range(0, HEADER.size())
            .mapToObj(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toList();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, List<Integer> widths) {
    return IntStream.range(0, row.size())
        .mapToObj(i -> row.get(i) + " ".repeat(widths.get(i) - row.get(i).length()))
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }

  private static List<String> row(WorkerStatus worker) {
    return List.of(
        Integer.toString(worker.rank()),
        worker.worker(),
        worker.host(),
        Long.toString(worker.pid()),
        uptime(Duration.ofMillis(worker.uptimeMs())),
        Integer.toString(worker.calls().size()),
        worker.counts().getOrDefault("rpc.served_calls", 0L).toString(),
        worker.counts().getOrDefault("rpc.waiting_calls", 0L).toString(),
        String.join(", ", worker.lost()));
  }

  private static String uptime(Duration up) {
    return "%d:%02d:%02d".formatted(up.toHours(), up.toMinutesPart(), up.toSecondsPart());
  }
}
