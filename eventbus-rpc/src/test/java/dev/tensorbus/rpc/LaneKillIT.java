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

  private void openWorld(int processes, Lane lane) {
    hosts = new ProcessHosts(processes);
    world =
        new World(
            World.PATIENCE,
            hosts.hosts().stream()
                .map(host -> (World.Host) (name, all) -> host.open(name, all.withLanes(lane)))
                .toList());
    first = world.worker(0);
  }

  private void openLane(Lane lane) {
    openWorld(1, lane);
    World.eventually(
        () -> {
          first.rpcSync("worker1", Tensor::add, ENOUGH, ENOUGH);
          return first.debugInfo().get(nameOf(lane)) == 1;
        });
  }

  /// The figure of how many lanes are open.
  private static String nameOf(Lane lane) {
    return "lane." + lane.name().toLowerCase(Locale.ROOT);
  }

  @Remote
  static long figure(String name) {
    return Rpc.current().debugInfo().get(name);
  }

  @Remote
  static void add(String other) {
    Rpc.current().rpcSync(other, Tensor::add, ENOUGH, ENOUGH);
  }

  @Remote
  static Tensor largeOnceUnblocked() throws InterruptedException {
    Probe.block();
    return LARGE;
  }

  /// Fetches it from another worker, and gives the name of that one if it was lost meanwhile.
  @Remote
  static String loses(String other) {
    try {
      return "nobody, but got " + Rpc.current().rpcSync(other, LaneKillIT::largeOnceUnblocked);
    } catch (NoSuchWorkerException e) {
      return e.worker();
    }
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
    World.eventually(() -> first.debugInfo().get(nameOf(lane)) == 0);
    assertThat(first.debugInfo()).containsEntry("lane.transfers", 0L);
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aReceiverThatIsKilledInTheMiddleFailsTheCallAndLeavesNoFile(Lane lane) throws IOException {
    openLane(lane);
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
    openWorld(2, lane);
    World.eventually(
        () -> {
          first.rpcSync("worker2", LaneKillIT::add, "worker1");
          return first.rpcSync("worker1", LaneKillIT::figure, nameOf(lane)) == 1;
        });
    Future<String> lost = first.rpcAsync("worker2", LaneKillIT::loses, "worker1");
    first.rpcSync("worker1", Probe::awaitBlocked);
    hosts.jvm(1).freeze(); // its receiver takes no more than a lane holds
    first.rpcSync("worker1", Probe::unblock);
    World.eventually(() -> first.rpcSync("worker1", LaneKillIT::figure, "lane.transfers") == 1);
    hosts.jvm(0).kill();
    hosts.jvm(1).thaw();
    assertThat(lost.await()).isEqualTo("worker1");
    for (String name : List.of(nameOf(lane), "lane.transfers")) {
      World.eventually(() -> first.rpcSync("worker2", LaneKillIT::figure, name) == 0);
    }
    requireNoTrace(lane);
  }

  @ParameterizedTest
  @EnumSource
  void aReceiverThatStallsSlowsItsSenderAndGoesOn(Lane lane) {
    openLane(lane);
    hosts.jvm(0).freeze();
    List<Future<Tensor>> sums = sums(4);
    assertThat(first.debugInfo()).containsEntry("lane.transfers", 4L);
    hosts.jvm(0).thaw();
    for (Future<Tensor> sum : sums) {
      assertThat(sum.await().shape()).isEqualTo(LARGE.shape());
    }
    World.eventually(() -> first.debugInfo().get("lane.transfers") == 0);
  }

  /// Those that workers of this JVM have made.
  private static List<Path> files() throws IOException {
    String own = "tensorbus-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> all = Files.list(MEMORY)) {
      return all.filter(file -> file.getFileName().toString().startsWith(own)).toList();
    }
  }
}
