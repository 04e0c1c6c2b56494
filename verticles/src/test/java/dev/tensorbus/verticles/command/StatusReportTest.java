// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.observe.status.AwaitedCall;
import dev.tensorbus.rpc.observe.status.ServingCall;
import dev.tensorbus.rpc.observe.status.ServingCall.State;
import dev.tensorbus.rpc.observe.status.ThreadStatus;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.rpc.observe.status.WorldStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusReportTest {
  private static WorkerStatus worker(
      int rank, String name, List<AwaitedCall> calls, List<ServingCall> serving) {
    return new WorkerStatus(
        name,
        rank,
        "10.0.0." + rank,
        100 + rank,
        3_725_000,
        Map.of("rpc.served_calls", (long) serving.size(), "rpc.waiting_calls", 0L),
        Map.of(),
        List.of(),
        calls,
        serving,
        rank == 0 ? List.of("trainer3") : List.of());
  }

  @Test
  void aTableComesBeforeTheTree() {
    ThreadStatus waits = new ThreadStatus("trainer1-31", List.of("dev.App.step(App.java:60)"));
    ThreadStatus runs = new ThreadStatus("tensorbus-call-7", List.of("dev.App.run(App.java:41)"));
    WorldStatus world =
        new WorldStatus(
            List.of(
                worker(
                    0,
                    "ps",
                    List.of(),
                    List.of(new ServingCall("trainer1", "App.run", 5, 3100, State.RUNNING, runs))),
                worker(
                    1,
                    "trainer1",
                    List.of(new AwaitedCall("ps", "App.run", 5, 3120, waits, null)),
                    List.of())),
            List.of("trainer2"));
    assertThat(StatusReport.lines(world))
        .containsExactly(
            "rank  worker    host      pid  up       calls  serves  queued  lost",
            "0     ps        10.0.0.0  100  1:02:05  0      1       0       trainer3",
            "1     trainer1  10.0.0.1  101  1:02:05  1      0       0",
            "trainer2 does not answer",
            "",
            "trainer1 waits for: ps · App.run · thread tensorbus-call-7 · at App.run(App.java:41)",
            "└─ trainer1 · thread trainer1-31 · at App.step(App.java:60) · 3.1 s");
  }

  @Test
  void anEmptyWorldIsCalledSo() {
    assertThat(StatusReport.lines(new WorldStatus(List.of(), List.of())))
        .containsExactly("this world has no workers");
  }

  @Test
  void aWorldThatWaitsForNothingIsCalledSo() {
    WorldStatus world = new WorldStatus(List.of(worker(0, "ps", List.of(), List.of())), List.of());
    assertThat(StatusReport.lines(world)).last().isEqualTo("nobody waits for a call");
  }
}
