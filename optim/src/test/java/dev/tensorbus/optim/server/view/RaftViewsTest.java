// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.testing.MemoryWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Voters that are workers in one JVM.
class RaftViewsTest extends ViewsContract {
  private static final List<String> NAMES = List.of("worker0", "worker1", "worker2");
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

  private final List<Views<List<Integer>, Integer>> voters = new ArrayList<>();
  private MemoryWorld world;

  @BeforeEach
  void open() {
    world = new MemoryWorld(3, options -> RpcOptions.dynamic(options.rank()));
    IntStream.range(0, 3).forEach(rank -> voters.add(open(world.worker(rank), NAMES)));
  }

  private static Views<List<Integer>, Integer> open(Rpc rpc, List<String> names) {
    return RaftViews.open(rpc, names, List.of(), ViewsContract::add, HEARTBEAT_TIMEOUT);
  }

  @AfterEach
  void close() {
    voters.forEach(Views::close);
    world.close();
  }

  @Override
  List<Views<List<Integer>, Integer>> voters() {
    return voters;
  }

  private int leader() throws Exception {
    eventually(() -> voters.stream().filter(RaftViewsTest::leads).count() == 1);
    return voters.indexOf(voters.stream().filter(RaftViewsTest::leads).findFirst().orElseThrow());
  }

  private static boolean leads(Views<?, ?> voter) {
    return ((RaftViews<?, ?>) voter).ledTerm() > 0;
  }

  @Test
  void aSingleVoterNeedsNoOthersAndAStrangerDoesNotVote() {
    Rpc rpc = world.worker(0);
    assertThat(open(rpc, List.of("worker0"))).isInstanceOf(LocalViews.class);
    assertThatThrownBy(() -> open(rpc, List.of("worker1", "worker2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the voters [worker1, worker2] must be different workers, among them worker0");
    assertThatThrownBy(() -> open(rpc, NAMES))
        .hasMessage("worker0 votes already; close its other views");
  }

  @Test
  void theOthersGoOnWithoutAKilledLeaderAndItsSuccessorCatchesUp() throws Exception {
    await(voters.get(0).propose(1));
    int leader = leader();
    world.kill(leader);
    var other = voters.get((leader + 1) % 3);
    assertThat(await(other.propose(2))).containsExactly(1, 2);
    voters.get(leader).close();
    voters.set(leader, open(world.replace(leader, RpcOptions.dynamic(leader)), NAMES));
    assertThat(await(voters.get(leader).propose(3))).containsExactly(1, 2, 3);
  }
}
