// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.worker.Programs;
import dev.tensorbus.verticles.worker.RoleMain;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The workers are real processes that a shell plays, the parameter server first.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs sh")
@Tag("slow")
class LocalWorldTest {
  private static final String WAITS = "exec sleep 600";
  private static final String IS_KILLED = "kill -9 $$";
  private static final String READY = "echo '@tensorbus reach READY'; ";

  private final RecordingDisplay display;

  /// A shell waits with it until the first loss is shown.
  private final String untilWarned;

  LocalWorldTest(@TempDir Path folder) {
    Path warned = folder.resolve("warned");
    display = new RecordingDisplay(warned);
    untilWarned = "until test -s '%s'; do sleep 0.05; done".formatted(warned);
  }

  @Test
  void aWorldEndsWellWhenAllItsWorkersDo() throws Exception {
    assertThat(run("exit 0", "exit 0", "exit 0")).isZero();
    assertThat(display.lines).isEmpty();
  }

  @Test
  void whatAWorkerPrintsIsShownUnderItsName() throws Exception {
    assertThat(run("echo ready", "echo careful >&2")).isZero();
    assertThat(display.lines)
        .containsExactlyInAnyOrder("[parameter-server] ready", "! [trainer1] careful");
  }

  @Test
  void aWorkerDoesNotGetTheVariablesThatWouldWinOverItsSettings() throws Exception {
    List<String> words = List.of("sh", "-c", "echo ${HOME-nothing}");
    LocalWorld.run(
        List.of(
            new WorkerCommand(
                0, "worker", words, Map.of(), Set.of("HOME"), WorkerCommand.Group.FIRST)),
        0,
        OnLoss.STOP,
        display);
    assertThat(display.lines).containsExactly("[worker] nothing");
    Program mnist = Programs.all().getFirst();
    WorkerOptions options = WorkerOptions.of(mnist.settings(), new JsonObject());
    assertThat(WorkerCommand.ofAll(mnist, options, RoleMain.class))
        .allSatisfy(worker -> assertThat(worker.withheld()).contains("TENSORBUS_EPOCHS"));
  }

  @Test
  void theProgressOfAllWorkersGoesToOneDisplay() throws Exception {
    run(
        "exit 0",
        "echo '@tensorbus start 1'; echo '@tensorbus step 32 0.5'; echo '@tensorbus say test"
            + " accuracy 0.98'");
    assertThat(display.lines).containsExactly("start 1", "step 32 0.5", "test accuracy 0.98");
  }

  @Test
  void aTrainerThatDiesIsNamedAndTheOthersGoOn() throws Exception {
    assertThat(run(untilWarned, IS_KILLED, untilWarned)).isZero();
    assertThat(display.lines)
        .containsExactly(
            "! warning: trainer1 is lost (exit code 137, killed by signal 9); parameter-server,"
                + " trainer2 continue",
            "! warning: finished without trainer1");
  }

  @Test
  void theStepsThatADeadTrainerLeavesAreNotWaitedForAndTold() throws Exception {
    String dies = "echo '@tensorbus start 5'; echo '@tensorbus step 32 0.5'; " + IS_KILLED;
    run(untilWarned, dies, untilWarned);
    assertThat(display.lines)
        .containsExactly(
            "start 5",
            "step 32 0.5",
            "start -4",
            "! warning: trainer1 is lost (exit code 137, killed by signal 9); parameter-server,"
                + " trainer2 continue; 4 of its 5 steps and their data are left out",
            "! warning: finished without trainer1 (4 of its 5 steps left out)");
  }

  @Test
  void thePageOfRankZeroMayReadHowATrainerEnded() throws Exception {
    String waits = "until grep trainer1 \"$TENSORBUS_LOST_WORKERS\"; do sleep 0.05; done";
    String names = "echo \"$TENSORBUS_LOST_WORKERS\"";
    assertThat(run(waits + "; " + names, IS_KILLED, untilWarned)).isZero();
    assertThat(display.lines)
        .contains("[parameter-server] trainer1\texit code 137, killed by signal 9");
    assertThat(display.lines)
        .filteredOn(line -> line.contains("tensorbus-lost-workers"))
        .singleElement()
        .satisfies(line -> assertThat(Path.of(line.split(" ")[1])).doesNotExist());
  }

  @Test
  void whenNoTrainerIsLeftTheServerIsStopped() throws Exception {
    assertThat(run(WAITS, "echo 'error: no data' >&2; exit 1")).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! [trainer1] error: no data",
            "! error: trainer1 is lost (exit code 1); no worker other than rank 0 is left:"
                + " parameter-server is stopped");
  }

  @Test
  void whenTheServerDiesTheTrainersMaySayWhyAndAreThenStopped() throws Exception {
    String speaks = untilWarned + "; echo 'error: the server died' >&2; exit 1";
    assertThat(run(IS_KILLED, speaks, WAITS)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! error: parameter-server is lost (exit code 137, killed by signal 9); a world cannot"
                + " continue without rank 0: trainer1, trainer2 are stopped",
            "! [trainer1] error: the server died",
            "! error: trainer1 is lost (exit code 1)");
  }

  @Test
  void aLossStopsTheWorldIfTheUserWantsIt() throws Exception {
    assertThat(run(0, OnLoss.STOP, WAITS, "exit 1", WAITS)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! error: trainer1 is lost (exit code 1); --on-loss is stop: parameter-server,"
                + " trainer2 are stopped");
  }

  @Test
  void aWorkerThatHasNothingLeftButItsPageMayEndInAnyWay() throws Exception {
    assertThat(run("echo '@tensorbus reach FINISHED'; " + IS_KILLED, "exit 0")).isZero();
    assertThat(display.lines).isEmpty();
  }

  /// The child inherits the output of the worker, whose end says nothing of the worker's.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "exec sleep 600",
        "trap '' TERM; while :; do sleep 0.1; done",
        "exec >/dev/null 2>&1; exec sleep 600"
      })
  @EnabledOnOs(value = OS.LINUX, disabledReason = "needs sessions")
  @Timeout(60)
  void theProcessesThatADeadWorkerLeavesEndWithIt(String child, @TempDir Path folder)
      throws Exception {
    Path pid = folder.resolve("pid");
    String dies = "sh -c \"$1\" & echo $! > '%s'; %s".formatted(pid, IS_KILLED);
    List<String> words = List.of("sh", "-c", dies, "sh", child);
    List<WorkerCommand> commands = List.of(new WorkerCommand(0, "worker", words, Map.of()));
    assertThat(LocalWorld.run(commands, 0, OnLoss.STOP, display)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly("! error: worker is lost (exit code 137, killed by signal 9)");
    assertThat(isAlive(pidIn(pid))).isFalse();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "needs sessions")
  @Timeout(60)
  void aProcessThatLeavesTheSessionLivesAndHoldsNobodyUp(@TempDir Path folder) throws Exception {
    Path pid = folder.resolve("pid");
    String daemon = "setsid sh -c 'echo $$ > \"$0\"; exec sleep 600' '%s' & ".formatted(pid);
    String dies = daemon + "until test -s '%s'; do sleep 0.05; done; exit 3".formatted(pid);
    assertThat(run(0, OnLoss.STOP, dies)).isEqualTo(1);
    assertThat(display.lines).containsExactly("! error: parameter-server is lost (exit code 3)");
    ProcessHandle left = ProcessHandle.of(pidIn(pid)).orElseThrow();
    assertThat(left.destroyForcibly()).isTrue();
  }

  /// A process that has ended stays as a zombie until its parent looks, which is init.
  private static boolean isAlive(long pid) throws IOException {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    return Files.exists(status) && !Files.readString(status).contains("State:\tZ");
  }

  private static long pidIn(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }

  @Test
  void aWorkerThatDoesNotHeedTheRequestToStopIsKilled() throws Exception {
    assertThat(run("trap '' TERM; while :; do sleep 0.1; done", "exit 1")).isEqualTo(1);
  }

  @Test
  void aWorkerThatFailsIsStartedAgain(@TempDir Path folder) throws Exception {
    Path mark = folder.resolve("was here");
    String failsOnce = "test -f '%s' || { touch '%s'; exit 3; }".formatted(mark, mark);
    assertThat(run(1, OnLoss.STOP, untilWarned, failsOnce)).isZero();
    assertThat(display.lines)
        .containsExactly("! warning: trainer1 is lost (exit code 3); restart 1 of 1");
  }

  @Test
  void aWorkerThatFailsWhenTheOthersHaveFinishedIsNotStartedAgain(@TempDir Path folder)
      throws Exception {
    Path pid = folder.resolve("pid");
    String fails =
        "until test -s '%s'; do sleep 0.05; done; while kill -0 $(cat '%s') 2>/dev/null; do sleep"
            + " 0.05; done; sleep 1; exit 3";
    assertThat(run(1, OnLoss.STOP, "echo $$ > '" + pid + "'", fails.formatted(pid, pid)))
        .isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! error: trainer1 is lost (exit code 3); it cannot join again: rank 0 has finished");
  }

  @Test
  void aWorkerThatIsStartedAgainAndHasNotJoinedWhenTheOthersFinishIsStopped(@TempDir Path folder)
      throws Exception {
    Path mark = folder.resolve("is back");
    String isBack = "until test -f '%s'; do sleep 0.05; done".formatted(mark);
    String waits =
        "test -f '%s.1' || { touch '%s.1'; exit 3; }; touch '%s'; %s"
            .formatted(mark, mark, mark, WAITS);
    assertThat(run(1, OnLoss.STOP, READY + isBack, waits)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! warning: trainer1 is lost (exit code 3); restart 1 of 1",
            "! error: trainer1 is lost (stopped before it had joined again) after 1 restart; it"
                + " cannot join again: rank 0 has finished");
  }

  @Test
  void aWorkerThatHasJoinedAgainMayEndAfterTheOthers(@TempDir Path folder) throws Exception {
    Path mark = folder.resolve("is back");
    String isBack = "until test -f '%s'; do sleep 0.05; done".formatted(mark);
    String joins =
        "test -f '%s.1' || { touch '%s.1'; exit 3; }; %s touch '%s'; sleep 1"
            .formatted(mark, mark, READY, mark);
    assertThat(run(1, OnLoss.STOP, READY + isBack, joins)).isZero();
    assertThat(display.lines)
        .containsExactly("! warning: trainer1 is lost (exit code 3); restart 1 of 1");
  }

  @Test
  void aRunFailsIfAWorkerFailsMoreOftenThanItMayBeStarted() throws Exception {
    assertThat(run(2, OnLoss.STOP, WAITS, "exit 3", WAITS)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! warning: trainer1 is lost (exit code 3); restart 1 of 2",
            "! warning: trainer1 is lost (exit code 3); restart 2 of 2",
            "! error: trainer1 is lost (exit code 3) after 2 restarts; --on-loss is stop:"
                + " parameter-server, trainer2 are stopped");
  }

  @Test
  void serversThatAreLeftGoOnAsLongAsTheyAreAMajority() throws Exception {
    assertThat(LocalWorld.run(servers("exit 3", "exit 0", "exit 0"), 0, OnLoss.CONTINUE, display))
        .isZero();
    assertThat(display.lines)
        .first()
        .asString()
        .startsWith("! warning: server1 is lost (exit code 3)");
    assertThat(display.lines).last().isEqualTo("! warning: finished without server1");
  }

  @Test
  void aWorldWhoseServersHaveLostTheirMajorityEnds() throws Exception {
    assertThat(LocalWorld.run(servers("exit 3", "exit 3", WAITS), 0, OnLoss.CONTINUE, display))
        .isEqualTo(1);
    assertThat(display.lines)
        .last()
        .asString()
        .matches(
            "! error: server[12] is lost \\(exit code 3\\);"
                + " servers need a majority of them to take over: server3 is stopped");
  }

  private static List<WorkerCommand> servers(String... scripts) {
    WorkerCommand.Group group =
        new WorkerCommand.Group(2, "servers need a majority of them to take over");
    return IntStream.range(0, scripts.length)
        .mapToObj(
            rank ->
                new WorkerCommand(
                    rank,
                    "server" + (rank + 1),
                    List.of("sh", "-c", scripts[rank]),
                    Map.of(),
                    Set.of(),
                    group))
        .toList();
  }

  private int run(String... scripts) throws InterruptedException {
    return run(0, OnLoss.CONTINUE, scripts);
  }

  private int run(int restarts, OnLoss onLoss, String... scripts) throws InterruptedException {
    return LocalWorld.run(commands(scripts), restarts, onLoss, display);
  }

  private static List<WorkerCommand> commands(String... scripts) {
    return IntStream.range(0, scripts.length).mapToObj(rank -> command(rank, scripts)).toList();
  }

  private static WorkerCommand command(int rank, String... scripts) {
    Role role = rank == 0 ? Role.PARAMETER_SERVER : Role.TRAINER;
    return new WorkerCommand(rank, role.nameOf(rank), List.of("sh", "-c", scripts[rank]), Map.of());
  }
}
