// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tensorbus.rpc.testing.NetworkNamespaces;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// G18, G19: three workers in network namespaces, between which nothing passes any more.
@Tag("long")
@ResourceLock("network namespaces")
class CutIT {
  private static final int WORKERS = 3;

  /// More than twice the heartbeat time-out, with some seconds for a machine that is busy.
  private static final Duration NOTICED = NamespaceWorld.SILENCE.multipliedBy(2).plusSeconds(10);

  /// For what must not wait for the register of the cluster.
  private static final Duration ENDED = Duration.ofSeconds(20);

  /// For a worker that waits for its world: longer than it waits, so that it says why.
  private static final Duration RENDEZVOUS = World.PATIENCE.multipliedBy(2);

  private static final String EVICTED = "EvictedException ";

  private NamespaceWorld world;

  @BeforeEach
  void openWorld() throws IOException {
    assumeTrue(NetworkNamespaces.isAvailable(), "needs Linux, ip and root");
    world = new NamespaceWorld(WORKERS);
    for (int rank = 0; rank < WORKERS; rank++) {
      assertThat(outcome(world.ask(rank, "ready"), RENDEZVOUS)).isEqualTo("ok ");
    }
  }

  @AfterEach
  void closeWorld() {
    if (world != null) {
      world.close();
    }
  }

  private static String outcome(CompletableFuture<String> answer, Duration limit) {
    return answer
        .completeOnTimeout("nothing within " + limit, limit.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  private Stream<String> all(String command) {
    return outcomes(command, ENDED, 0, 1, 2);
  }

  /// The outcomes of some workers; all do it at once.
  private Stream<String> outcomes(String command, Duration limit, int... ranks) {
    List<CompletableFuture<String>> answers =
        IntStream.of(ranks).mapToObj(rank -> world.ask(rank, command)).toList();
    return answers.stream().map(answer -> outcome(answer, limit));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPairThatIsCutNoticesAndDisturbsNobodyElse(boolean heals) throws IOException {
    CompletableFuture<String> blocked = world.ask(1, "block worker2");
    assertThat(outcome(world.ask(0, "await-blocked worker2"), ENDED)).startsWith("ok");
    world.network().cut(1, 2);
    assertThat(outcome(blocked, NOTICED))
        .isEqualTo(
            "NoSuchWorkerException worker2 was silent for the heartbeat timeout while worker1"
                + " waited for Probe.block; the method may have run");
    for (int rank : new int[] {1, 2}) {
      assertThat(outcome(world.ask(rank, "call worker0"), ENDED))
          .isEqualTo("ok worker0 for worker" + rank);
      assertThat(outcome(world.ask(0, "call worker" + rank), ENDED))
          .isEqualTo("ok worker" + rank + " for worker0");
    }
    if (heals) {
      world.network().heal(1, 2);
    }
    assertThat(outcome(world.ask(1, "call worker2"), ENDED)).startsWith("NoSuchWorkerException");
    assertThat(all("shutdown")).containsOnly("ok ");
    // Each of the pair may wait up to 21 s, until Hazelcast gives up calling the other.
    assertThat(outcomes("close", RENDEZVOUS, 0, 1, 2)).containsOnly("ok ");
  }

  @Test
  void whoIsCutOffFromEverybodyIsEvictedAndTheOthersGoOn() throws IOException {
    world.network().detach(2);
    assertThat(outcome(world.ask(2, "shutdown"), NOTICED)).startsWith(EVICTED);
    assertThat(outcome(world.ask(2, "call worker0"), ENDED)).startsWith(EVICTED);
    assertThat(outcomes("shutdown", ENDED, 0, 1)).containsOnly("ok ");
    assertThat(all("close")).containsOnly("ok ");
  }

  @Test
  void whoIsCutOffFromRankZeroIsEvictedIfTheOthersGoOnWithRankZero() throws IOException {
    world.network().cut(0, 1);
    assertThat(outcome(world.ask(1, "shutdown"), NOTICED)).startsWith(EVICTED);
    assertThat(outcomes("shutdown", ENDED, 0, 2)).containsOnly("ok ");
    assertThat(all("close")).containsOnly("ok ");
  }

  /// Rank 0 is started again where nobody hears it, and founds a world of its own.
  @Test
  void twoWorldsWhoseNetworksHealAreNotMergedAndBothSaySo() throws IOException {
    world.network().detach(0);
    for (int rank : new int[] {1, 2}) {
      World.eventually(
          () -> outcome(world.ask(rank, "workers"), ENDED).equals("ok [worker1, worker2]"));
    }
    world.restart(0);
    CompletableFuture<String> ready = world.ask(0, "ready");
    assertThat(outcome(world.ask(0, "workers"), World.PATIENCE)).isEqualTo("ok [worker0]");
    world.network().attach(0);
    assertThat(outcome(ready, RENDEZVOUS))
        .startsWith("RendezvousException this rank 0 founded a second world: world ");
    world.restart(0);
    assertThat(outcome(world.ask(0, "ready"), RENDEZVOUS)).isEqualTo("ok ");
    assertThat(all("call worker0")).allMatch(answer -> answer.startsWith("ok worker0 for"));
    assertThat(all("shutdown")).containsOnly("ok ");
  }
}
