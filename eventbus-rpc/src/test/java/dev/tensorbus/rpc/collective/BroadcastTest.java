// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Another collective, on the rounds of [Collectives]: like torch's `broadcast`.
class BroadcastTest {
  private static final List<String> ALL = List.of("worker0", "worker1", "worker2");

  private final List<Vertx> hosts = Stream.generate(new MemoryCluster()::start).limit(3).toList();
  private World world;

  @BeforeEach
  void openWorld() {
    world = new World(hosts);
  }

  @AfterEach
  void close() {
    world.close();
    hosts.forEach(host -> host.close().await());
  }

  /// Returns the tensor of the root on all workers.
  private static Future<Tensor> broadcast(String root, Optional<Tensor> value) {
    return CallContext.part(Collectives.class)
        .meet("broadcast", ALL, value, World.PATIENCE)
        .map(values -> values.get(root).orElseThrow());
  }

  @Remote
  static Future<Tensor> take(String root, Tensor own) {
    boolean isRoot = Rpc.current().self().name().equals(root);
    return broadcast(root, isRoot ? Optional.of(own) : Optional.empty());
  }

  private List<Future<Tensor>> takeOnAll(String root) {
    return Stream.iterate(0, rank -> rank < ALL.size(), rank -> rank + 1)
        .map(
            rank ->
                world
                    .worker(0)
                    .rpcAsync(
                        ALL.get(rank), BroadcastTest::take, root, Tensor.of(10f * rank, rank)))
        .toList();
  }

  @Test
  void allGetTheTensorOfTheRoot() {
    for (String root : ALL) {
      int rank = ALL.indexOf(root);
      assertThat(takeOnAll(root))
          .allSatisfy(
              taken -> assertThat(World.await(taken).values()).containsExactly(10f * rank, rank));
    }
  }

  @Test
  void aRootThatHasLeftIsNamed() {
    World.await(world.worker(2).leave());
    World.eventually(() -> world.worker(0).workers().size() == 2);
    assertThatThrownBy(
            () -> world.worker(0).rpcSync("worker1", BroadcastTest::take, "worker2", Tensor.of(1f)))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("worker2 has not joined or has left");
  }
}
