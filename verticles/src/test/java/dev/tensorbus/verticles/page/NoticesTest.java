// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.optim.server.ServerStatus;
import dev.tensorbus.optim.server.ServerStatus.TakeOver;
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
    assertThat(texts(Notices.of(workers, Map.of("c", ""))))
        .containsExactly("c is lost", "b has not completed a step for 1.0 s");
  }

  @Test
  void theEndOfALostWorkersProcessIsToldIfItIsKnown() {
    Map<String, String> lost = Map.of("a", "exit code 137, killed by signal 9");
    assertThat(texts(Notices.of(List.of(trainer("a", 10)), lost)))
        .containsExactly(
            "a is lost (exit code 137, killed by signal 9): 50 of its 100 steps and their data are"
                + " left out");
  }

  @Test
  void serversSayWhatTheyHaveTakenOverFromALostOne() {
    List<SeenWorker> heirs =
        List.of(server("server1", "server3", 40, 0, 310), server("server2", "server3", 45, 0, 210));
    assertThat(texts(Notices.of(heirs, Map.of("server3", ""))))
        .containsExactly(
            "server3 is lost: server1, server2 have taken over 85 slots in 0.31 s; nothing is lost");
    assertThat(texts(Notices.of(heirs.subList(1, 2), Map.of("server3", ""))))
        .containsExactly(
            "server3 is lost: server2 has taken over 45 slots in 0.21 s; nothing is lost");
    assertThat(texts(Notices.of(heirs, Map.of("witness", "")))).containsExactly("witness is lost");
  }

  @Test
  void theTimeOfATakeOverIsThatOfAnyServerThatKnowsIt() {
    SeenWorker heir = server("server1", "server2", 120, 0, 0);
    SeenWorker witness = server("witness", "server2", 0, 0, 291);
    assertThat(texts(Notices.of(List.of(heir, witness), Map.of("server2", ""))))
        .containsExactly(
            "server2 is lost: server1 has taken over 120 slots in 0.29 s; nothing is lost");
    assertThat(texts(Notices.of(List.of(heir), Map.of("server2", ""))))
        .containsExactly("server2 is lost: server1 has taken over 120 slots; nothing is lost");
  }

  @Test
  void aLossOfSlotsIsToldWithTheCure() {
    List<SeenWorker> left = List.of(server("server1", "server3", 0, 85, 10));
    assertThat(texts(Notices.of(left, Map.of("server3", ""))))
        .containsExactly("server3 is lost: 85 slots are lost: start the world again");
  }

  private static SeenWorker server(String name, String dead, int slots, int lost, long millis) {
    ServerStatus status =
        new ServerStatus(
            4,
            List.of("server1", "server2"),
            128,
            128,
            lost,
            List.of(),
            List.of(new TakeOver(dead, slots, lost, millis)));
    WorkerReport report = report(name, 0, List.of(), ServerReading.toJson(status));
    WorkerReport received = WorkerReport.fromJson(new JsonObject(report.toJson().encode()));
    return new SeenWorker(received, 0, 0, State.HERE);
  }

  private static List<String> texts(SeenWorker... workers) {
    return texts(Notices.of(List.of(workers), Map.of()));
  }

  private static List<String> texts(JsonArray notices) {
    return notices.stream().map(notice -> ((JsonObject) notice).getString("text")).toList();
  }

  private static SeenWorker trainer(String name, long sinceStepMs, AwaitedCall... calls) {
    return new SeenWorker(report(name, sinceStepMs, List.of(calls)), 0, 100, State.HERE);
  }

  private static WorkerReport report(String name, long sinceStepMs, List<AwaitedCall> calls) {
    return report(name, sinceStepMs, calls, new JsonObject());
  }

  private static WorkerReport report(
      String name, long sinceStepMs, List<AwaitedCall> calls, JsonObject server) {
    return new WorkerReport(
        "trainer",
        new WorkerStatus(
            name, 1, "", 1, 1, Map.of(), Map.of(), List.of(), calls, List.of(), List.of()),
        new Training(100, 50, 50, 0.5, sinceStepMs, MEDIAN_MS, Map.of()),
        0,
        new JsonArray(),
        new JsonObject(),
        server,
        new JsonObject(),
        new JsonObject(),
        List.of(),
        new JsonArray());
  }

  private static AwaitedCall call(String to, long forMs) {
    return new AwaitedCall(to, "Server.put", 1, forMs, null, null);
  }
}
