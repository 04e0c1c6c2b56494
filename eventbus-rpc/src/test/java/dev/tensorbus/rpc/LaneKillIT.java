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
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tensors on their way to and from a process that is frozen and killed.
@Tag("long")
class LaneKillIT {
  private static final Tensor LARGE = Tensor.of(new float[64 << 18]);

  /// Enough to ask for a lane, and no burden if there is none yet.
  private static final Tensor ENOUGH = Tensor.of(new float[1 << 18]);

  private static final Path MEMORY =
      Path.of(
          Files.isWritable(Path.of("/dev/shm"))
              ? "/dev/shm"
              : System.getProperty("java.io.tmpdir"));

  private ProcessHosts hosts;
  private World world;
  private Rpc first;

  private void openWorld(Lane lane) {
    hosts = new ProcessHosts(1);
    world =
        new World(
            World.PATIENCE,
            hosts.hosts().stream()
                .map(host -> (World.Host) (name, all) -> host.open(name, all.withLanes(lane)))
                .toList());
    first = world.worker(0);
    String open = "lane." + lane.name().toLowerCase(Locale.ROOT);
    World.eventually(
        () -> {
          first.rpcSync("worker1", Tensor::add, ENOUGH, ENOUGH);
          return first.debugInfo().get(open) == 1;
        });
  }

  @AfterEach
  void closeWorld() {
    world.close();
    hosts.close();
  }

  private List<Future<Tensor>> sums(int count) {
    return Stream.generate(() -> first.rpcAsync("worker1", Tensor::add, LARGE, LARGE))
        .limit(count)
        .toList();
  }

  private void requireNoTrace(Lane lane) throws IOException {
    String open = "lane." + lane.name().toLowerCase(Locale.ROOT);
    World.eventually(() -> first.debugInfo().get(open) == 0);
    assertThat(first.debugInfo()).containsEntry("lane.transfers", 0L);
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aReceiverThatIsKilledInTheMiddleFailsTheCallAndLeavesNoFile(Lane lane) throws IOException {
    openWorld(lane);
    hosts.jvm(0).freeze();
    Future<Tensor> sum = sums(1).getFirst();
    assertThat(first.debugInfo()).containsEntry("lane.transfers", 1L);
    hosts.jvm(0).kill();
    assertThatThrownBy(sum::await).isInstanceOf(NoSuchWorkerException.class);
    requireNoTrace(lane);
  }

  @ParameterizedTest
  @EnumSource
  void aSenderThatIsKilledInTheMiddleFailsTheCallAndLeavesNoFile(Lane lane) throws IOException {
    openWorld(lane);
    List<Future<Tensor>> sums = sums(8);
    Future.any(sums).await(); // the answers are on their way
    hosts.jvm(0).freeze();
    hosts.jvm(0).kill();
    for (Future<Tensor> sum : sums) {
      assertThat(sum.map("arrived").otherwise(e -> e.getClass().getSimpleName()).await())
          .isIn("arrived", NoSuchWorkerException.class.getSimpleName());
    }
    assertThat(sums).as("all had arrived").anyMatch(Future::failed);
    requireNoTrace(lane);
  }

  @ParameterizedTest
  @EnumSource
  void aReceiverThatStallsSlowsItsSenderAndGoesOn(Lane lane) {
    openWorld(lane);
    hosts.jvm(0).freeze();
    List<Future<Tensor>> sums = sums(4);
    assertThat(first.debugInfo()).containsEntry("lane.transfers", 4L);
    hosts.jvm(0).thaw();
    for (Future<Tensor> sum : sums) {
      assertThat(sum.await().shape()).isEqualTo(LARGE.shape());
    }
    World.eventually(() -> first.debugInfo().get("lane.transfers") == 0);
  }

  /// Those that workers of this test have made.
  private static List<Path> files() throws IOException {
    String own = "tensorbus-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> all = Files.list(MEMORY)) {
      return all.filter(file -> file.getFileName().toString().startsWith(own)).toList();
    }
  }
}
