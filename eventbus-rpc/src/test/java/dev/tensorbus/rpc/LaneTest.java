// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.MemoryCluster;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which way the tensors of two workers take.
class LaneTest {
  private final List<Vertx> hosts = Stream.generate(new MemoryCluster()::start).limit(2).toList();
  private final List<Rpc> workers = new ArrayList<>();
  private final Tensor large = Tensor.of(new float[100_000]);

  private void open(Vertx vertx, Lane... lanes) {
    RpcOptions options =
        RpcOptions.dynamic(workers.size())
            .withTimeout(World.CALL_TIME)
            .withHeartbeatTimeout(World.SILENCE)
            .withLanes(lanes);
    workers.add(Rpc.open(vertx, "worker" + workers.size(), options).await());
  }

  @AfterEach
  void close() {
    Future.join(workers.stream().map(Rpc::leave).toList()).await();
    hosts.forEach(vertx -> vertx.close().await());
  }

  private void requireLane(long sharedMemory, long socket, long bus) {
    Tensor sum = workers.getFirst().rpcSync("worker1", Tensor::add, large, large);
    assertThat(sum.values()).hasSize(100_000);
    World.eventually(
        () -> {
          Map<String, Long> info = workers.getFirst().debugInfo();
          return Stream.of("shared_memory", "socket", "bus")
                  .mapToLong(way -> info.get("lane." + way))
                  .sum()
              == sharedMemory + socket + bus;
        });
    assertThat(workers.getFirst().debugInfo())
        .containsEntry("lane.shared_memory", sharedMemory)
        .containsEntry("lane.socket", socket)
        .containsEntry("lane.bus", bus);
    World.eventually(() -> workers.get(1).debugInfo().get("lane.transfers") == 0);
  }

  @Test
  void largeTensorsGoThroughSharedMemory() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(1), Lane.values());
    requireLane(1, 0, 0);
    assertThat(workers.get(1).debugInfo()).containsEntry("lane.shared_memory", 1L);
    Map<String, Long> sent = workers.getFirst().sentBytes();
    assertThat(sent.get("lane")).isEqualTo(100_000 * Float.BYTES);
    assertThat(sent.get("bus")).isBetween(1L, 99_999L);
  }

  @Test
  void anEventLoopIsNotHeldUpByTensorsThatCome() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(1), Lane.values());
    requireLane(1, 0, 0);
    Promise<Tensor> sum = Promise.promise();
    hosts
        .get(0)
        .runOnContext(
            now ->
                workers.getFirst().rpcAsync("worker1", Tensor::add, large, large).onComplete(sum));
    assertThat(sum.future().await().values()).hasSize(100_000);
  }

  @Test
  void smallTensorsGoInMessages() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(1), Lane.values());
    workers.getFirst().rpcSync("worker1", Tensor::add, Tensor.of(1), Tensor.of(2));
    assertThat(workers.getFirst().debugInfo()).containsEntry("lane.shared_memory", 0L);
  }

  @Test
  void whereOneSharesNoMemoryTensorsGoThroughAConnection() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(1), Lane.SOCKET);
    requireLane(0, 1, 0);
    World.eventually(() -> workers.get(1).debugInfo().get("lane.socket") == 1);
  }

  @Test
  void whereTheOtherMayNotConnectTensorsGoInMessages() {
    open(hosts.get(0), Lane.SHARED_MEMORY);
    open(hosts.get(1), Lane.SOCKET);
    requireLane(0, 0, 1);
  }

  @Test
  void whereTheOtherForbidsTheLaneTensorsGoInMessages() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(1));
    requireLane(0, 0, 1);
  }

  @Test
  void whoForbidsTheLaneAsksForNone() {
    open(hosts.get(0));
    open(hosts.get(1), Lane.values());
    requireLane(0, 0, 0);
  }

  @Test
  void workersOnOneVertxNeedNoLane() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(0), Lane.values());
    requireLane(0, 0, 0);
  }

  @Test
  void workersOnOneVertxHandLargeTensorsOver() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(0));
    for (String worker : List.of("worker0", "worker1")) {
      Tensor same = workers.getFirst().rpcSync(worker, Tensor::to, large, DType.FLOAT32);
      assertThat(same.values()).isSameAs(large.values());
    }
  }

  @Test
  void whoHasLeftHasNoLane() {
    open(hosts.get(0), Lane.values());
    open(hosts.get(1), Lane.values());
    requireLane(1, 0, 0);
    workers.get(1).leave().await();
    assertThat(workers.getFirst().debugInfo()).containsEntry("lane.shared_memory", 0L);
  }
}
