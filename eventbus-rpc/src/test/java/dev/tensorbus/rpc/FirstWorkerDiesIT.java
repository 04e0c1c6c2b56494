// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.process.ProcessHosts;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/// G15: the process where all met is killed; the others go on, and a newcomer takes its place.
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

  private static Rpc join(World.Host host, String name, int rank) {
    RpcOptions options = RpcOptions.dynamic(rank).withTimeout(World.CALL_TIME);
    return host.open(name, options).await();
  }
}
