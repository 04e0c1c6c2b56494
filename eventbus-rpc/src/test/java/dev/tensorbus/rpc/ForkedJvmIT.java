// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.process.ProcessHosts;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Workers whose processes are killed and frozen.
class ForkedJvmIT {
  private ProcessHosts hosts;
  private World world;

  @BeforeEach
  void openWorld() {
    hosts = new ProcessHosts(1);
    world = new World(World.PATIENCE, hosts.hosts());
  }

  @AfterEach
  void closeWorld() {
    world.close();
    hosts.close();
  }

  @Test
  void callsToAKilledProcessFail() {
    Future<Void> blocked = world.worker(0).rpcAsync("worker1", Probe::block);
    world.worker(0).rpcSync("worker1", Probe::awaitBlocked);
    hosts.jvm(0).kill();
    assertThatThrownBy(blocked::await)
        .isInstanceOf(NoSuchWorkerException.class)
        .hasMessageContaining("worker1 left while worker0 waited for Probe.block");
  }

  @Test
  void aFrozenProcessAnswersWhenItThaws() {
    assertThat(world.worker(0).rpcSync("worker1", Probe::sum, 1, 1)).isEqualTo(2);
    hosts.jvm(0).freeze();
    Future<Integer> sum = world.worker(0).rpcAsync("worker1", Probe::sum, 1, 2);
    Calls brief = world.worker(0).with(CallOptions.timeout(Duration.ofMillis(300)));
    assertThatThrownBy(() -> brief.rpcSync("worker1", Probe::where))
        .isInstanceOf(RpcTimeoutException.class);
    assertThat(sum.isComplete()).isFalse();
    hosts.jvm(0).thaw();
    assertThat(sum.await()).isEqualTo(3);
  }
}
