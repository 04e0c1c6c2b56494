// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.process.ProcessHosts;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tensors on their way to and from a process that is frozen and killed.
class LaneKillIT {
  private static final Tensor LARGE = Tensor.of(new float[64 << 18]);

  private static final Path MEMORY =
      Path.of(
          Files.isWritable(Path.of("/dev/shm"))
              ? "/dev/shm"
              : System.getProperty("java.io.tmpdir"));

  private ProcessHosts hosts;
  private World world;
  private Rpc first;

  @BeforeEach
  void openWorld() {
    hosts = new ProcessHosts(1);
    world = new World(World.PATIENCE, hosts.hosts());
    first = world.worker(0);
    first.rpcSync("worker1", Tensor::add, LARGE, LARGE);
    assertThat(first.debugInfo()).containsEntry("lane.shared_memory", 1L);
  }

  @AfterEach
  void closeWorld() {
    world.close();
    hosts.close();
  }

  @Test
  void aReceiverThatIsKilledInTheMiddleFailsTheCallAndLeavesNoFile() throws IOException {
    hosts.jvm(0).freeze();
    Future<Tensor> sum = first.rpcAsync("worker1", Tensor::add, LARGE, LARGE);
    assertThat(first.debugInfo()).containsEntry("lane.shipments", 1L);
    hosts.jvm(0).kill();
    assertThatThrownBy(sum::await).isInstanceOf(NoSuchWorkerException.class);
    World.eventually(() -> first.debugInfo().get("lane.shared_memory") == 0);
    assertThat(first.debugInfo()).containsEntry("lane.shipments", 0L);
    assertThat(files()).isEmpty();
  }

  @Test
  void aReceiverThatStallsSlowsItsSenderAndGoesOn() {
    hosts.jvm(0).freeze();
    List<Future<Tensor>> sums =
        Stream.generate(() -> first.rpcAsync("worker1", Tensor::add, LARGE, LARGE))
            .limit(4)
            .toList();
    assertThat(first.debugInfo()).containsEntry("lane.shipments", 4L);
    hosts.jvm(0).thaw();
    for (Future<Tensor> sum : sums) {
      assertThat(sum.await().shape()).isEqualTo(LARGE.shape());
    }
    World.eventually(() -> first.debugInfo().get("lane.shipments") == 0);
  }

  /// Those that workers of this test have made.
  private static List<Path> files() throws IOException {
    String own = "tensorbus-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> all = Files.list(MEMORY)) {
      return all.filter(file -> file.getFileName().toString().startsWith(own)).toList();
    }
  }
}
