// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import static dev.tensorbus.optim.server.view.VoterProcess.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.optim.server.ProcessWorld;
import dev.tensorbus.rpc.Rpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Voters in processes of their own, whose leader is killed and started again.
@Tag("slow")
class RaftViewsIT {
  private static final System.Logger LOG = System.getLogger(RaftViewsIT.class.getName());
  private static final int DEATHS = Integer.getInteger("deaths", 3);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ProcessWorld world = new ProcessWorld(VoterProcess.class, NAMES, "watcher");
  private final Rpc rpc = world.rpc();

  @AfterEach
  void stop() {
    world.close();
  }

  /// Waits until a voter takes part, since it then sees its change.
  private void propose(String voter, int number) {
    rpc.awaitWorker(voter, PATIENCE).await();
    assertThat(rpc.rpcSync(voter, VoterProcess::propose, number))
        .isEqualTo(IntStream.rangeClosed(0, number).boxed().toList());
  }

  private String leader() {
    while (true) {
      for (String name : NAMES) {
        if (rpc.rpcSync(name, VoterProcess::leads)) {
          return name;
        }
      }
    }
  }

  @Test
  void theNextChangeIsAcceptedAfterTheLeaderIsKilledAndItsSuccessorTakesPart() {
    List<Long> millis = new ArrayList<>();
    int number = 0;
    for (String name : NAMES) {
      propose(name, number++);
    }
    for (int death = 0; death < DEATHS; death++) {
      String leader = leader();
      String other = NAMES.get((NAMES.indexOf(leader) + 1) % NAMES.size());
      world.kill(leader);
      long start = System.nanoTime();
      propose(other, number++);
      millis.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
      while (rpc.workers().stream().anyMatch(worker -> worker.name().equals(leader))) {
        Thread.onSpinWait(); // its death may have been heard of elsewhere first
      }
      world.start(leader);
      propose(leader, number++);
    }
    Collections.sort(millis);
    LOG.log(
        System.Logger.Level.WARNING,
        "ms from kill -9 of the leader to the next change: median {0}, longest {1}",
        millis.get(DEATHS / 2),
        millis.getLast());
  }
}
