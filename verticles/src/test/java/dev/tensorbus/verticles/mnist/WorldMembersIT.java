// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.mnist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.Commands;
import dev.tensorbus.verticles.Commands.Running;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Workers that do not belong, or no longer belong, to the world of the others: each started by a
/// command of its own, as in several terminals.
@Tag("long")
class WorldMembersIT {
  /// Seconds of silence that no stalled machine makes.
  private static final int PATIENT = 120;

  /// Seconds of silence after which a worker that is frozen is evicted.
  private static final int WATCHFUL = 10;

  private final String port;

  WorldMembersIT() throws IOException {
    port = Integer.toString(FreePort.find());
  }

  private Running start(String program, int rank, int heartbeatTimeout, String... more)
      throws IOException {
    List<String> arguments =
        List.of(
            "train",
            program,
            "--world-size",
            "3",
            "--batch-size",
            "50",
            "--heartbeat-timeout",
            Integer.toString(heartbeatTimeout),
            "--master-port",
            port,
            "--rank",
            Integer.toString(rank));
    return Commands.jar(
        "tensorbus.jar", Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void aWorkerOfAnotherProgramIsRefusedAndNobodyElseIsDisturbed() throws Exception {
    try (Running server = start("mnist", 0, PATIENT);
        Running second = start("mnist", 2, PATIENT);
        Running stranger = start("batch", 1, PATIENT)) {
      assertThat(stranger.end()).isEqualTo(1);
      assertThat(error(stranger))
          .containsPattern("runs mnist on Tensorbus .*, but this worker runs batch on Tensorbus ");
      try (Running first = start("mnist", 1, PATIENT)) {
        assertThat(first.end()).as(first.output()).isZero();
        assertThat(second.end()).as(second.output()).isZero();
        assertThat(server.end()).as(server.output()).isZero();
      }
    }
  }

  @Test
  void aTrainerThatWasFrozenSaysThatItWasEvictedAndTheOthersGoOn() throws Exception {
    // Enough that the others still train when the frozen one is continued.
    String[] epochs = {"--epochs", "4"};
    try (Running server = start("mnist", 0, WATCHFUL, epochs);
        Running first = start("mnist", 1, WATCHFUL, epochs);
        Running second = start("mnist", 2, WATCHFUL, epochs)) {
      first.await("step 100/");
      second.await("step 100/");
      second.signal("STOP");
      server.await("lost trainer2");
      second.signal("CONT");
      assertThat(second.end()).isEqualTo(1);
      // The answer to its call may come before the notice of its eviction.
      assertThat(error(second)).containsPattern("trainer2 was evicted|lost this worker");
      assertThat(first.end()).as(first.output()).isZero();
      assertThat(server.end()).as(server.output()).isZero();
      assertThat(first.output()).contains("test accuracy ");
    }
  }

  @Test
  void aServerThatWasFrozenFailsAndItsTrainersSayThatItIsLost() throws Exception {
    try (Running server = start("mnist", 0, WATCHFUL);
        Running first = start("mnist", 1, WATCHFUL);
        Running second = start("mnist", 2, WATCHFUL)) {
      first.await("step 100/");
      second.await("step 100/");
      server.signal("STOP");
      for (Running trainer : new Running[] {first, second}) {
        assertThat(trainer.end()).isEqualTo(1);
        assertThat(error(trainer)).contains("parameter-server");
      }
      server.signal("CONT");
      assertThat(server.end()).isEqualTo(1);
      // Its world is gone, and it may hear first that nobody is in it.
      assertThat(error(server)).containsPattern("was evicted|no trainer is left");
    }
  }

  /// The one line that says why a program has failed.
  private static String error(Running program) {
    List<String> lines = program.output().lines().filter(l -> l.contains("error: ")).toList();
    assertThat(lines).as(program.output()).hasSize(1);
    return lines.getFirst();
  }
}
