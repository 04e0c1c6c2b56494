// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.observe.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.observe.status.ServingCall.State;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A worker tells its state, also while all its threads hang.
class StatusTest {
  private final MemoryWorld world = new MemoryWorld(3, options -> options.withMaxCalls(1));

  @BeforeEach
  void closeGate() {
    Hung.close();
  }

  @AfterEach
  void endWorld() {
    Hung.open();
    world.close();
  }

  private Rpc worker(int rank) {
    return world.worker(rank);
  }

  private static void onThread(String name, Runnable body) {
    Thread.ofVirtual().name(name).start(body);
  }

  /// The state of the world once it is so.
  private WorldStatus statusWhen(Predicate<WorldStatus> isSo) {
    WorldStatus[] last = new WorldStatus[1];
    World.eventually(
        () -> {
          last[0] = World.await(Rpc.worldStatus(world.worker(0).vertx(), World.PATIENCE));
          return isSo.test(last[0]);
        });
    return last[0];
  }

  private static boolean serves(WorldStatus status, int rank, int calls) {
    return status.workers().get(rank).serving().stream()
            .filter(call -> call.state() == State.WAITING || isParked(call))
            .count()
        == calls;
  }

  private static boolean isParked(ServingCall call) {
    return call.thread() == null || isInMethod(call);
  }

  /// Whether a worker reports a call that it has made. Workers report at different moments, so the
  /// callee's report may contain a call that the caller's does not.
  private static boolean calls(WorldStatus status, int rank) {
    return !status.workers().get(rank).calls().isEmpty();
  }

  /// Whether a worker has a call whose method has begun on a thread.
  private static boolean runs(WorldStatus status, int rank) {
    return status.workers().get(rank).serving().stream().anyMatch(StatusTest::isInMethod);
  }

  private static boolean isInMethod(ServingCall call) {
    ThreadStatus thread = call.thread();
    return thread != null && thread.place().startsWith("Hung.");
  }

  @Test
  void bothSidesOfACallTellOfItWithTheirThreads() {
    onThread("learner", () -> worker(0).rpcSync("worker1", Hung::update));
    WorldStatus status = statusWhen(now -> calls(now, 0) && runs(now, 1));
    AwaitedCall call = status.workers().get(0).calls().getFirst();
    assertThat(call.to()).isEqualTo("worker1");
    assertThat(call.method()).isEqualTo("Hung.update");
    assertThat(call.within()).isNull();
    ThreadStatus learner = Objects.requireNonNull(call.thread());
    assertThat(learner.name()).startsWith("learner-");
    assertThat(learner.place()).startsWith("StatusTest.").contains("(StatusTest.java:");
    ServingCall serving = status.workers().get(1).serving().getFirst();
    assertThat(serving.from()).isEqualTo("worker0");
    assertThat(serving.method()).isEqualTo("Hung.update");
    assertThat(serving.number()).isEqualTo(call.number());
    assertThat(serving.state()).isEqualTo(State.RUNNING);
    assertThat(Objects.requireNonNull(serving.thread()).place())
        .startsWith("Hung.update(Hung.java:");
  }

  @Test
  void aWorkerTellsOfItselfWithoutBeingAsked() {
    WorkerStatus status = worker(1).status();
    assertThat(status.worker()).isEqualTo("worker1");
    assertThat(status.rank()).isEqualTo(1);
    assertThat(status.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(status.counts()).isEqualTo(worker(1).debugInfo());
    assertThat(status.sentBytes()).containsOnlyKeys("bus", "lane");
    assertThat(status.peers()).extracting(PeerStatus::worker).containsExactly("worker0", "worker2");
    assertThat(status.peers()).extracting(PeerStatus::lane).containsOnly("bus");
    assertThat(status.lost()).isEmpty();
  }

  @Test
  void aWorkerSaysWhoIsLostAndForgetsWhoCameBack() {
    world.kill(2);
    World.eventually(() -> worker(1).status().lost().equals(List.of("worker2")));
    world.replace(2, RpcOptions.worldSize(3).withRank(2));
    World.eventually(() -> worker(1).status().lost().isEmpty());
  }

  @Test
  void aChainIsATreeFromItsCauseOn() {
    onThread("learner", () -> worker(0).rpcSync("worker1", Hung::relay, "worker2"));
    WorldStatus status =
        statusWhen(now -> calls(now, 0) && calls(now, 1) && runs(now, 1) && runs(now, 2));
    List<String> lines = WaitTree.lines(status);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .matches(
            "everybody waits for: worker2 · Hung\\.update · thread tensorbus-call-\\d+ · at"
                + " Hung\\.update\\(Hung\\.java:\\d+\\)");
    assertThat(lines.get(1))
        .matches(
            "└─ worker1 · Hung\\.relay · thread tensorbus-call-\\d+ · at"
                + " Hung\\.relay\\(Hung\\.java:\\d+\\) · \\d.*");
    assertThat(lines.get(2)).matches("   └─ worker0 · thread learner-\\d+ · at StatusTest.* · .*");
  }

  @Test
  void aMethodThatReturnsAFutureIsALinkOfTheChainToo() {
    Future<Integer> _ = worker(0).rpcAsync("worker1", Hung::forward, "worker2");
    WorldStatus status =
        statusWhen(now -> calls(now, 0) && calls(now, 1) && serves(now, 1, 1) && serves(now, 2, 1));
    List<String> lines = WaitTree.lines(status);
    assertThat(lines.get(0)).startsWith("everybody waits for: worker2 · Hung.update");
    assertThat(lines.get(1)).startsWith("└─ worker1 · Hung.forward · waits for a future · ");
    assertThat(lines.get(2)).startsWith("   └─ worker0 · ");
  }

  @Test
  void aFullWorkerAnswersAndNamesTheCallThatAllWaitFor() {
    onThread("first", () -> worker(0).rpcSync("worker1", Hung::compute));
    statusWhen(now -> runs(now, 1));
    onThread("second", () -> worker(2).rpcSync("worker1", Hung::later));
    onThread("third", () -> worker(1).rpcSync("worker1", Hung::update));
    WorldStatus status =
        statusWhen(now -> calls(now, 0) && calls(now, 1) && calls(now, 2) && serves(now, 1, 3));
    List<String> lines = WaitTree.lines(status);
    assertThat(lines.get(0)).startsWith("everybody waits for: worker1 · Hung.compute · thread ");
    assertThat(lines).anyMatch(line -> line.startsWith("├─ worker0 · thread first-"));
    assertThat(lines).anyMatch(line -> line.contains("worker1 · Hung.later · queued"));
    assertThat(lines).anyMatch(line -> line.contains("worker2 · thread second-"));
    Hung.open();
    statusWhen(now -> now.workers().stream().allMatch(worker -> worker.calls().isEmpty()));
  }

  @Test
  void callsThatWaitForEachOtherAreADeadLock() {
    // Each worker runs one call: worker0 calls worker1, whose call needs room on worker0.
    onThread("learner", () -> worker(2).rpcSync("worker0", Hung::circle, "worker1", "worker0"));
    WorldStatus status =
        statusWhen(
            now ->
                now.workers().get(0).serving().stream()
                    .anyMatch(call -> call.state() == State.WAITING));
    List<String> lines = WaitTree.lines(status);
    assertThat(lines.getFirst()).startsWith("deadlock: ");
    assertThat(lines).filteredOn(line -> line.startsWith("● ")).hasSize(3);
    assertThat(lines).anyMatch(line -> line.startsWith("● worker0 · Hung.circle · queued"));
    assertThat(lines).anyMatch(line -> line.startsWith("● worker1 · Hung.circle · thread "));
    assertThat(lines).anyMatch(line -> line.contains("worker2 · thread learner-"));
  }

  @Test
  void aWorkerWhoseEventLoopStandsStillIsNamed() {
    CountDownLatch latch = new CountDownLatch(1);
    stopEventLoops(2, latch);
    try {
      WorldStatus[] last = new WorldStatus[1];
      World.eventually(
          () -> {
            last[0] = World.await(Rpc.worldStatus(world.worker(0).vertx(), Duration.ofSeconds(2)));
            return last[0].silent().equals(List.of("worker2"));
          });
      Future<Integer> _ = worker(0).rpcAsync("worker2", Hung::update);
      assertThat(WaitTree.lines(statusOf(List.of(worker(0)), List.of("worker2"))))
          .first()
          .isEqualTo("worker0 waits for: worker2 · Hung.update · worker2 does not answer");
    } finally {
      latch.countDown();
    }
  }

  private static WorldStatus statusOf(List<Rpc> answering, List<String> silent) {
    return new WorldStatus(answering.stream().map(Rpc::status).toList(), silent);
  }

  /// Vert.x gives contexts its event loops in turn.
  private void stopEventLoops(int rank, CountDownLatch latch) {
    int loops = 2 * Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < loops; i++) {
      world.worker(rank).vertx().getOrCreateContext().runOnContext(ignored -> await(latch));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void callsThatStandAtOnePlaceAreOneCause() {
    Future<Integer> _ = worker(0).rpcAsync("worker2", Hung::update);
    ServingCall served = statusWhen(now -> runs(now, 2)).workers().get(2).serving().getFirst();
    ServingCall more =
        new ServingCall("worker1", served.method(), 9, 1, State.RUNNING, served.thread());
    JsonObject json = new JsonObject(worker(2).status().toJson().encode());
    json.getJsonArray("serving").add(more.toJson());
    WorldStatus status =
        new WorldStatus(List.of(worker(0).status(), WorkerStatus.fromJson(json)), List.of());
    List<String> lines = WaitTree.lines(status);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .matches("everybody waits for: worker2 · Hung\\.update · .* · 2 such calls");
    assertThat(lines.get(1)).startsWith("├─ worker0 · ");
    assertThat(lines.get(2)).startsWith("└─ worker1 · ");
  }

  @Test
  void aStatusIsTheSameAfterItsJson() {
    onThread("learner", () -> worker(0).rpcSync("worker1", Hung::relay, "worker2"));
    WorldStatus status =
        statusWhen(now -> calls(now, 0) && calls(now, 1) && serves(now, 1, 1) && serves(now, 2, 1));
    for (WorkerStatus worker : status.workers()) {
      String text = worker.toJson().encode();
      assertThat(WorkerStatus.fromJson(new JsonObject(text))).isEqualTo(worker);
    }
  }

  @Test
  void whatIsNoStatusIsRefused() {
    JsonObject good = worker(0).status().toJson();
    assertRefused(new JsonObject());
    assertRefused(good.copy().put("rank", "zero"));
    assertRefused(good.copy().put("worker", "x".repeat(600)));
    assertRefused(good.copy().put("peers", new JsonObject()));
    assertRefused(good.copy().put("calls", List.of(1)));
    assertRefused(good.copy().put("lost", List.of(new JsonObject())));
    assertRefused(good.copy().put("counts", new JsonObject().put("a", "b")));
    assertRefused(good.copy().put("lost", Collections.nCopies(5000, "w")));
    assertThat(WorkerStatus.fromJson(good.copy().put("host", "a\u001b[31m\n")).host())
        .isEqualTo("a?[31m?");
  }

  private static void assertRefused(JsonObject json) {
    assertThatThrownBy(() -> WorkerStatus.fromJson(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not the status of a worker: expected");
  }
}
