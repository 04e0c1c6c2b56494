// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.process.ProcessHosts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// G15: the process where all met is killed; the others go on, and a newcomer takes its place.
@Tag("long")
class FirstWorkerDiesIT {
  @Test
  void theMeetingPointMayDieAndBeReplaced() {
    try (ProcessHosts hosts = new ProcessHosts(2, false, World.SILENCE)) {
      Rpc here = join(hosts.hosts().get(0), "here", 5);
      Rpc first = join(hosts.hosts().get(1), "first", 0);
      Rpc second = join(hosts.hosts().get(2), "second", 1);
      assertThat(here.rpcSync("first", Probe::where)).isEqualTo("first for here");
      hosts.jvm(0).kill();
      World.eventually(() -> here.workers().size() == 2);
      assertThat(second.rpcSync("here", Probe::where)).isEqualTo("here for second");
      Rpc again = join(hosts.startAnother(), "first", 0);
      assertThat(second.awaitWorker("first", World.PATIENCE).await())
          .isEqualTo(new WorkerInfo("first", 0));
      assertThat(second.rpcSync("first", Probe::where)).isEqualTo("first for second");
      assertThat(again.rpcSync("here", Probe::where)).isEqualTo("here for first");
      Future.all(again.shutdown(), second.shutdown(), here.shutdown()).await();
    }
  }

  @Test
  void theFirstWorkerIsStartedAgainByTheSameCommandAndJoinsTheWorldThatLives() {
    try (ProcessHosts hosts = new ProcessHosts(2, false, World.SILENCE);
        World world = new World(World.PATIENCE, rotated(hosts.hosts()))) {
      Rpc here = world.worker(2);
      WorkerInfo first = new WorkerInfo("worker0", 0);
      for (int death = 0; death < 2; death++) { // the second finds a world that was found before
        hosts.jvm(0).kill();
        World.eventually(() -> !here.workers().contains(first));
        RpcOptions options =
            RpcOptions.worldSize(3).withRank(0).withRendezvousTimeout(World.PATIENCE);
        Rpc again = hosts.restartFirst().open("worker0", options).await();
        again.ready().await();
        assertThat(again.workers()).hasSize(3);
        assertThat(again.rpcSync("worker2", Probe::where)).isEqualTo("worker2 for worker0");
        here.awaitWorker("worker0", World.PATIENCE).await();
        assertThat(here.rpcSync("worker0", Probe::where)).isEqualTo("worker0 for worker2");
        assertThat(world.worker(1).rpcSync("worker0", Probe::where))
            .isEqualTo("worker0 for worker1");
      }
    }
  }

  /// Whether or not the others have noticed its death.
  @Test
  void theFirstWorkerIsStartedAgainAtOnceAndJoinsTheWorldThatLives() {
    try (ProcessHosts hosts = new ProcessHosts(2, false, World.SILENCE);
        World world = new World(World.PATIENCE, rotated(hosts.hosts()))) {
      hosts.jvm(0).kill();
      RpcOptions options =
          RpcOptions.worldSize(3).withRank(0).withRendezvousTimeout(World.PATIENCE);
      Rpc again = hosts.restartFirst().open("worker0", options).await();
      again.ready().await();
      assertThat(again.workers()).hasSize(3);
      assertThat(world.worker(1).rpcSync("worker0", Probe::where)).isEqualTo("worker0 for worker1");
    }
  }

  /// The newcomer joined elsewhere, since nobody was at the meeting point.
  @Test
  void aNewcomerKnocksAtTheMeetingPointOfTheFirst() {
    int port = FreePort.find();
    Vertx first = World.meetingAt(port, true).start();
    Vertx second = World.meetingAt(port, false).start();
    first.close().await();
    Vertx newcomer = World.meetingAt(Cluster.meetingPoint(second).getPort(), false).start();
    second.close().await();
    Vertx again = World.meetingAt(port, true).start();
    try {
      assertThat(((VertxInternal) again).clusterManager().getNodes()).hasSize(2);
    } finally {
      Future.join(again.close(), newcomer.close()).await();
    }
  }

  /// The process that the others meet at, the other one, this one.
  private static List<World.Host> rotated(List<World.Host> hosts) {
    return List.of(hosts.get(1), hosts.get(2), hosts.get(0));
  }

  private static Rpc join(World.Host host, String name, int rank) {
    RpcOptions options = RpcOptions.dynamic(rank).withTimeout(World.CALL_TIME);
    return host.open(name, options).await();
  }
}
