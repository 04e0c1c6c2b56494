// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.observe.status.PeerStatus;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.page.WorkerReport.TagPoint;
import dev.tensorbus.verticles.page.WorkerReport.Training;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a page costs rank 0 of a large world. The processor time is printed.
class BoardCostTest {
  private static final int WORKERS = 64;
  private static final int SECONDS = 300;

  /// The compiler is done by then.
  private static final int WARM = 200;

  @Test
  void anEventOf64WorkersStaysAsLargeAsItIs() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    JsonObject about = new JsonObject().put("settings", new JsonObject());
    Board board = new Board(about, Map::of, NanoClock.SYSTEM);
    long nanos = 0;
    int early = 0;
    int late = 0;
    for (int second = 0; second < SECONDS; second++) {
      List<String> reports = reports(second);
      long begun = threads.getCurrentThreadCpuTime();
      reports.forEach(text -> board.add(WorkerReport.fromJson(new JsonObject(text))));
      board.tick();
      late = board.snapshot().encode().length();
      early = second == WARM ? late : early;
      nanos += second < WARM ? 0 : threads.getCurrentThreadCpuTime() - begun;
    }
    Duration each = Duration.ofNanos(nanos / (SECONDS - WARM));
    System.out.printf("BoardCostTest: %.1f ms of a core each second%n", each.toNanos() / 1e6);
    assertThat(late).isLessThan(2 * early);
  }

  private static List<String> reports(int second) {
    return IntStream.range(0, WORKERS).mapToObj(rank -> report(rank, second).encode()).toList();
  }

  private static JsonObject report(int rank, int second) {
    List<PeerStatus> peers =
        IntStream.range(0, WORKERS)
            .filter(other -> other != rank)
            .mapToObj(
                other -> new PeerStatus("worker" + other, "shared memory", null, 1_000L * second))
            .toList();
    WorkerStatus status =
        new WorkerStatus(
            "worker" + rank,
            rank,
            "10.0.0." + rank,
            rank,
            1_000L * second,
            Map.of("rpc.served_calls", 2L, "rpc.waiting_calls", 0L, "rref.owned", 9L),
            Map.of("bus", 1_000L * second, "lane", 1_000_000L * second),
            peers,
            List.of(),
            List.of(),
            List.of());
    JsonObject method =
        new JsonObject().put("side", "made").put("method", "Server.update").put("count", second);
    return new WorkerReport(
            "trainer",
            status,
            new Training(10_000, second, 32L * second, 0.5, 10, 12.0, Map.of("epoch", 1.0)),
            0.5,
            new JsonArray(Stream.generate(method::copy).limit(10).toList()),
            new JsonObject().put("worker0", 10L * second),
            new JsonObject(),
            new JsonObject().put("heap", 1L << 28).put("cpuNanos", 500_000_000L * second),
            new JsonObject(),
            IntStream.range(0, 16).mapToObj(n -> new TagPoint("loss", second, n, 0.5)).toList(),
            new JsonArray())
        .toJson();
  }
}
