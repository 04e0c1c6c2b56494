// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.observe.status.AwaitedCall;
import dev.tensorbus.rpc.observe.status.WorkerStatus;
import dev.tensorbus.verticles.page.SeenWorker.State;
import dev.tensorbus.verticles.page.WorkerReport.Training;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NoticesTest {
  private static final double MEDIAN_MS = 10;

  @Test
  void aTrainerThatMakesNoStepWhileOthersDoIsAStraggler() {
    assertThat(texts(trainer("a", 10), trainer("b", 1_000)))
        .containsExactly("b has not completed a step for 1.0 s");
  }

  @Test
  void aStepOfLessThanASecondIsNotLate() {
    assertThat(texts(trainer("a", 10), trainer("b", 999))).isEmpty();
  }

  @Test
  void whereAllComputeNoneIsAStraggler() {
    assertThat(texts(trainer("a", 5_000), trainer("b", 5_000))).isEmpty();
  }

  @Test
  void aTrainerThatWaitsForACallIsNamedWithTheCalleeAfterTheCauses() {
    assertThat(texts(trainer("a", 2_000, call("ps", 2_000)), trainer("b", 2_000)))
        .containsExactly(
            "b has not completed a step for 2.0 s",
            "a has not completed a step for 2.0 s: it waits for ps (Server.put)");
  }

  @Test
  void aTrainerThatIsSilentIsNoStraggler() {
    SeenWorker silent = new SeenWorker(report("b", 5_000, List.of()), 3_200, 0, State.SILENT);
    assertThat(texts(trainer("a", 10), silent)).containsExactly("b has not answered for 3.2 s");
  }

  @Test
  void lostWorkersStandFirst() {
    List<SeenWorker> workers = List.of(trainer("a", 10), trainer("b", 1_000));
    assertThat(texts(Notices.of(workers, List.of("c"))))
        .containsExactly("c is lost", "b has not completed a step for 1.0 s");
  }

  private static List<String> texts(SeenWorker... workers) {
    return texts(Notices.of(List.of(workers), List.of()));
  }

  private static List<String> texts(JsonArray notices) {
    return notices.stream().map(notice -> ((JsonObject) notice).getString("text")).toList();
  }

  private static SeenWorker trainer(String name, long sinceStepMs, AwaitedCall... calls) {
    return new SeenWorker(report(name, sinceStepMs, List.of(calls)), 0, 100, State.HERE);
  }

  private static WorkerReport report(String name, long sinceStepMs, List<AwaitedCall> calls) {
    return new WorkerReport(
        "trainer",
        new WorkerStatus(
            name, 1, "", 1, 1, Map.of(), Map.of(), List.of(), calls, List.of(), List.of()),
        new Training(100, 50, 50, 0.5, sinceStepMs, MEDIAN_MS, Map.of()),
        0,
        new JsonArray(),
        new JsonObject(),
        new JsonObject(),
        new JsonObject(),
        List.of(),
        new JsonArray());
  }

  private static AwaitedCall call(String to, long forMs) {
    return new AwaitedCall(to, "Server.put", 1, forMs, null, null);
  }
}
