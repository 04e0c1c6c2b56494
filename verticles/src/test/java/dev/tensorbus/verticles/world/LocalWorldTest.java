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

  private final RecordingDisplay display = new RecordingDisplay();

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
        List.of(new WorkerCommand(0, "worker", words, Map.of(), Set.of("HOME"))),
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
    String server = "sleep 0.5; exit 0";
    assertThat(run(server, IS_KILLED, "sleep 0.3; exit 0")).isZero();
    assertThat(display.lines)
        .containsExactly(
            "! warning: trainer1 is lost (killed by signal 9); parameter-server, trainer2 continue",
            "! warning: finished without trainer1");
  }

  @Test
  void theStepsThatADeadTrainerLeavesAreNotWaitedForAndTold() throws Exception {
    String dies = "echo '@tensorbus start 5'; echo '@tensorbus step 32 0.5'; " + IS_KILLED;
    run("sleep 0.5", dies, "sleep 0.3");
    assertThat(display.lines)
        .containsExactly(
            "start 5",
            "step 32 0.5",
            "start -4",
            "! warning: trainer1 is lost (killed by signal 9); parameter-server, trainer2 continue;"
                + " 4 of its 5 steps and their data are left out",
            "! warning: finished without trainer1 (4 of its 5 steps left out)");
  }

  @Test
  void whenNoTrainerIsLeftTheServerIsStopped() throws Exception {
    assertThat(run(WAITS, "echo 'error: no data' >&2; exit 1")).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! [trainer1] error: no data",
            "! error: trainer1 is lost (ended with code 1); no worker other than rank 0 is left:"
                + " parameter-server is stopped");
  }

  @Test
  void whenTheServerDiesTheTrainersMaySayWhyAndAreThenStopped() throws Exception {
    String speaks = "sleep 0.5; echo 'error: the server died' >&2; exit 1";
    assertThat(run(IS_KILLED, speaks, WAITS)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! error: parameter-server is lost (killed by signal 9); a world cannot continue"
                + " without rank 0: trainer1, trainer2 are stopped",
            "! [trainer1] error: the server died",
            "! error: trainer1 is lost (ended with code 1)");
  }

  @Test
  void aLossStopsTheWorldIfTheUserWantsIt() throws Exception {
    assertThat(run(0, OnLoss.STOP, WAITS, "exit 1", WAITS)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! error: trainer1 is lost (ended with code 1); --on-loss is stop: parameter-server,"
                + " trainer2 are stopped");
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
    assertThat(display.lines).containsExactly("! error: worker is lost (killed by signal 9)");
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
    assertThat(display.lines)
        .containsExactly("! error: parameter-server is lost (ended with code 3)");
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
    assertThat(run(1, OnLoss.STOP, "sleep 0.5", failsOnce)).isZero();
    assertThat(display.lines)
        .containsExactly("! warning: trainer1 is lost (ended with code 3); restart 1 of 1");
  }

  @Test
  void aRunFailsIfAWorkerFailsMoreOftenThanItMayBeStarted() throws Exception {
    assertThat(run(2, OnLoss.STOP, WAITS, "exit 3", WAITS)).isEqualTo(1);
    assertThat(display.lines)
        .containsExactly(
            "! warning: trainer1 is lost (ended with code 3); restart 1 of 2",
            "! warning: trainer1 is lost (ended with code 3); restart 2 of 2",
            "! error: trainer1 is lost (ended with code 3) after 2 restarts; --on-loss is stop:"
                + " parameter-server, trainer2 are stopped");
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
