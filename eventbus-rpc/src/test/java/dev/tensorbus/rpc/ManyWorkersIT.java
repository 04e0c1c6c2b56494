// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.process.ProcessHosts;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G5, G10, G16: 64 workers in four JVMs start, call each other all to all, gather, and shut
/// down.
@Tag("long")
class ManyWorkersIT {
  private static final int JVMS = 4;
  private static final int WORKERS = 64;

  @Test
  void sixtyFourWorkersDoWhatThreeDo() {
    try (ProcessHosts hosts = new ProcessHosts(JVMS - 1)) {
      World world = new World(World.PATIENCE.multipliedBy(3), spread(hosts.hosts()));
      Rpc first = world.worker(0);
      assertThat(first.workers()).hasSize(WORKERS);

      List<Future<Integer>> answers = new ArrayList<>();
      for (int rank = 0; rank < WORKERS; rank++) {
        answers.add(first.rpcAsync("worker" + rank, Probe::callEveryone));
      }
      answers.forEach(answer -> assertThat(answer.await()).isEqualTo(WORKERS));

      List<Future<Integer>> gathered = new ArrayList<>();
      for (int rank = 0; rank < WORKERS; rank++) {
        gathered.add(first.rpcAsync("worker" + rank, Probe::gatherRanks));
      }
      gathered.forEach(sum -> assertThat(sum.await()).isEqualTo(WORKERS * (WORKERS - 1) / 2));

      Future.all(IntStream.range(0, WORKERS).mapToObj(world::worker).map(Rpc::shutdown).toList())
          .await();
    }
  }

  private static List<World.Host> spread(List<World.Host> hosts) {
    return IntStream.range(0, WORKERS).mapToObj(rank -> hosts.get(rank % JVMS)).toList();
  }
}
